"""The functions of `time` as they were before tests replaced them."""

import time

monotonic = time.monotonic
sleep = time.sleep
thread_time = time.thread_time
process_time = time.process_time
