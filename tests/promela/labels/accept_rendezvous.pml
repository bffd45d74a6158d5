/* violated: accept; the receiver stands at its label between two messages */
chan c = [0] of { byte };
active proctype A() { do :: c!1 od }
active proctype B() { byte v; accept_next: do :: c?v od }
