byte x,y,z;
chan c=[0] of {byte};
chan q=[1] of {byte};
active proctype P0() { byte l; c?eval(l); d_step { l = (_pid)%4; x = (z)%4 }; assert(x==1) }
active proctype P1() { byte l; if :: c!1; atomic { q?1; y = (x)%4; l = (y)%4 } :: { l = (0)%4; y = (1)%4 } unless { c!2 }; if :: x = (y)%4; l = (0)%4; x = (1)%4 :: (x>=0); q?0 fi; x = (y)%4 fi; (x>=0); assert(l==2) }
active proctype P2() { byte l; nfull(q); x = (1)%4; y = (0)%4; assert(y!=2) }
