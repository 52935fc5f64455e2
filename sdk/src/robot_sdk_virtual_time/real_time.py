"""The functions of `time` as they were before tests replaced them."""

import time

monotonic = time.monotonic
sleep = time.sleep
process_time = time.process_time
thread_time = time.thread_time
