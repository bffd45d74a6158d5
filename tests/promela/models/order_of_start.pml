/* processes get their numbers in the order of the text */
init { assert(_pid == 1) }
active proctype Zero() { assert(_pid <= 3) }
active [2] proctype Two() { assert(_pid > 0) }
