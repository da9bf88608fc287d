#!/usr/bin/env python3
"""on_terminal.py COLUMNS COMMAND…: runs a command with a terminal of that width as its standard input, output and error, and
prints what the terminal got, with escape sequences spelled out ("ESC[1m"). Exits as the command did."""
import fcntl
import os
import pty
import struct
import sys
import termios

columns, command = int(sys.argv[1]), sys.argv[2:]
terminal, inner = pty.openpty()
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
child = os.fork()
if child == 0:
    os.close(terminal)
    for number in (0, 1, 2):
        os.dup2(inner, number)
    os.execvp(command[0], command)
os.close(inner)
output = b""
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:  # how Linux says that the other side is closed
        break
    if not piece:
        break
    output += piece
status = os.waitpid(child, 0)[1]
sys.stdout.write(output.decode("utf-8", "backslashreplace").replace("\r\n", "\n").replace("\x1b", "ESC"))
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(status) % 256)
