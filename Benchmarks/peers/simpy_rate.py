#!/usr/bin/env python3
"""SimPy's events a second: so many processes that each wait for 1, again and again: simpy_rate.py PROCESSES EVENTS"""
import sys, time
import simpy


def waiting(environment):
    while True: yield environment.timeout(1)


processes, events = int(sys.argv[1]), int(sys.argv[2])
environment = simpy.Environment()
for _ in range(processes): environment.process(waiting(environment))
began = time.process_time()
environment.run(until=events // processes)
print(f"{events} events, {events / (time.process_time() - began):.0f} events per second", file=sys.stderr)
