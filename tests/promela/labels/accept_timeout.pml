/* violated: accept; only time goes by */
bool go;
active proctype A() { do :: go -> skip :: timeout -> accept: skip od }
