chan a = [0] of { byte }; chan b = [1] of { byte };
proctype Relay(chan in, out) { byte v; in?v; out!v }
init { byte r; run Relay(a, b); a!5; b?r; assert(r == 5) }
