# SPDX-License-Identifier: Apache-2.0
"""Interactive shells on a pseudo terminal, for what a user sees after pressing TAB.

After each TAB the shell reports its line between two marks, so that nothing depends on how long
a completion takes.
"""
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import termios
import time

LIMIT = 60
PROMPT = "PROMPT> "
LEFT, RIGHT = "\x1c", "\x1d"

ESCAPE = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[()][A-Z0-9]|[=>78])")
UP = re.compile(r"\x1b\[[0-9]*A")


class Seen:
    """What one TAB did: the line after it, the words listed below it, and how long it took."""

    def __init__(self, line, listed, seconds):
        self.line = line
        self.listed = listed
        self.seconds = seconds

    def __str__(self):
        return f"line {self.line!r}, listed {self.listed}"


class Shell:
    """A shell that waits at its prompt."""

    def __init__(self, command, environment, folder):
        pid, self._terminal = pty.fork()
        if pid == 0:
            try:
                os.chdir(folder)
                os.execvpe(command[0], command, environment)
            finally:
                os._exit(127)
        self._pid = pid
        size = struct.pack("HHHH", 60, 160, 0, 0)
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, size)
        self._pending = ""
        self._read_until(PROMPT)
        self.run(":")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._terminal)

    def _send(self, text):
        os.write(self._terminal, text.encode())

    def _read_until(self, end):
        """What comes before `end`."""
        deadline = time.monotonic() + LIMIT
        while end not in self._pending:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._terminal], [], [], left)[0]:
                raise TimeoutError(f"waited for {end!r} after {self._pending!r}")
            data = os.read(self._terminal, 65536)
            self._pending += data.decode(errors="replace")
        before, self._pending = self._pending.split(end, 1)
        return before

    def _report(self):
        """(what was shown, the line) up to the next report."""
        return self._read_until(LEFT), self._read_until(RIGHT)

    def run(self, command):
        """Runs a command to its end."""
        self._send(f"{self.KILL}{command}; printf '\\034%s\\035' done\r")
        self._report()
        # Before it, keys would meet the terminal in its other mode.
        self._read_until(PROMPT)

    def press_tab(self, text, after=""):
        """Types `text`, goes back before `after`, and presses TAB."""
        self._send(self.KILL + text + after + self.LEFT * len(after) + self.REPORT)
        self._report()
        return self.press_tab_again()

    def press_tab_again(self):
        begin = time.monotonic()
        self._send(self.TAB)
        shown, line = self._report()
        seconds = time.monotonic() - begin
        return Seen(line, self.listed(shown), seconds)


class Bash(Shell):
    KILL, LEFT, REPORT, TAB = "\x05\x15", "\x1b[D", "\x18\x12", "\t\x18\x12"
    START = """\
bind 'set show-all-if-ambiguous on'
bind 'set completion-query-items 0'
bind 'set page-completions off'
bind 'set bell-style none'
bind 'set enable-bracketed-paste off'
bind -x '"\\C-x\\C-r": printf "\\034%s\\035" "$READLINE_LINE"'
PS1='PROMPT> '
. {completion}
"""
    COMPLETION = "/usr/share/bash-completion/bash_completion"
    NEEDS = [COMPLETION, "/usr/share/bash-completion/completions/git"]
    INSTALLED = (".local/share/bash-completion/completions", "git-flagscale.bash", "git-flagscale")

    def __init__(self, environment, folder):
        start = environment["HOME"] + "/.bashrc"
        with open(start, "w", encoding="utf-8") as file:
            file.write(self.START.format(completion=self.COMPLETION))
        super().__init__(["bash", "--noprofile", "--rcfile", start, "-i"], environment, folder)

    @staticmethod
    def listed(shown):
        """A list stands between the line and a new prompt."""
        below = shown.partition("\n")[2]
        before, prompt, _ = below.rpartition(PROMPT)
        return ESCAPE.sub("", before if prompt else below).split()


class Zsh(Shell):
    KILL, LEFT, REPORT, TAB = "\x15", "\x02", "\x18\x12", "\t"
    START = """\
PS1='PROMPT> '
LISTMAX=1000
setopt no_beep no_prompt_cr no_prompt_sp
bindkey -e
fpath=(~/zsh $fpath)
autoload -U compinit
compinit -u -d ~/.zcompdump
zstyle ':completion:*' menu no
report() { printf '\\034%s\\035' "$BUFFER" }
complete-and-report() { zle expand-or-complete; zle -R; report }
zle -N report
zle -N complete-and-report
bindkey '^X^R' report
bindkey '^I' complete-and-report
"""
    NEEDS = []
    INSTALLED = ("zsh", "_git-flagscale", "_git-flagscale")

    def __init__(self, environment, folder):
        with open(environment["HOME"] + "/.zshrc", "w", encoding="utf-8") as file:
            file.write(self.START)
        super().__init__(["zsh", "-d", "-i"], environment, folder)

    @staticmethod
    def listed(shown):
        """A list stands below the line, and the cursor goes up again."""
        return ESCAPE.sub("", UP.split(shown.partition("\n")[2])[0]).split()


SHELLS = {"bash": Bash, "zsh": Zsh}


def missing(name):
    """What the machine lacks for testing in this shell, or None."""
    if not shutil.which(name):
        return name
    return next((path for path in SHELLS[name].NEEDS if not os.path.exists(path)), None)
