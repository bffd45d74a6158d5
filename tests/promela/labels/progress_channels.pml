/* violated: progress; messages may be lost again and again */
chan c = [1] of { bit };
active proctype Sender() { do :: c!1 od }
active proctype Receiver() { do :: c?1 -> progress: skip :: c?1 od }
