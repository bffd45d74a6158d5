chan b = [2] of { byte }; chan r = [0] of { byte }; byte sum;
active proctype P() { byte i; do :: i < 3 -> if :: b!i :: r!i fi; i++ :: else -> break od }
active proctype Q() { byte v; end: do :: b?v -> sum = sum + v :: r?v -> sum = sum + v od }
