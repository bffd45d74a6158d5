chan c = [2] of { byte }; byte v, w;
active proctype A() { c!4; c?<v>; assert(v == 4 && len(c) == 1); c!5; c??<5>; c??<w>; assert(w == 4); c?_; c?w; assert(w == 5) }
