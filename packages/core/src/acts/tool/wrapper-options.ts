/** The command line of a program that runs the command in its arguments. */
export interface WrapperUsage {
  /** Short options with a value, in the same word or the next. */
  values?: string
  /** Short options without a value. */
  flags?: string
  /** Short options whose optional value is in the same word. */
  attached?: string
  /** Long options with a value; those without a value are `longFlags`. */
  longValues?: readonly string[]
  longFlags?: readonly string[]
  /** Number of plain arguments before the command. */
  operands?: number
  /** The plain argument before the command is optional; this matches it when it is present. */
  optionalOperand?: RegExp
  /** The command is a script for a shell, in one or more arguments. */
  script?: boolean
  /** More arguments of the command come from the program's input. */
  input?: boolean
}

/**
 * Source: the manual pages of coreutils, util-linux, findutils, procps, sudo, bash and GNU parallel. A program listed
 * without options is analysed only when it is called without any.
 */
export const wrapperUsages: Readonly<Record<string, WrapperUsage>> = {
  builtin: {},
  busybox: {},
  caffeinate: { flags: "dimsu", values: "tw" },
  catchsegv: {},
  chroot: { operands: 1, longValues: ["groups", "userspec"], longFlags: ["skip-chdir"] },
  chrt: {
    flags: "abdfimoprvR",
    values: "DPT",
    longFlags: ["all-tasks", "batch", "deadline", "fifo", "idle", "other", "reset-on-fork", "rr", "verbose"],
    optionalOperand: /^\d+$/,
  },
  command: { flags: "p" },
  "dbus-run-session": {},
  doas: { flags: "Lns", values: "Cu" },
  eatmydata: {},
  env: {
    flags: "0iv",
    values: "aCu",
    longValues: ["argv0", "chdir", "unset"],
    longFlags: ["debug", "ignore-environment", "list-signal-handling", "null"],
  },
  exec: { flags: "cl", values: "a" },
  fakeroot: {},
  firejail: {},
  flock: {
    flags: "eFnosuvx",
    values: "Ew",
    longValues: ["conflict-exit-code", "timeout", "wait"],
    longFlags: ["close", "exclusive", "nb", "no-fork", "nonblock", "shared", "unlock", "verbose"],
    operands: 1,
  },
  gosu: { operands: 1 },
  ionice: { flags: "t", values: "cn", longValues: ["class", "classdata"], longFlags: ["ignore"] },
  ltrace: {},
  nice: { flags: "0123456789-", values: "n", longValues: ["adjustment"] },
  nohup: {},
  nsenter: {},
  parallel: { script: true, input: true },
  pkexec: {},
  prlimit: {},
  proot: {},
  rlwrap: {},
  runcon: { operands: 1 },
  setarch: { operands: 1 },
  setpriv: {},
  setsid: { flags: "cfw", longFlags: ["ctty", "fork", "wait"] },
  "ssh-agent": {},
  stdbuf: { values: "eio", longValues: ["error", "input", "output"] },
  strace: {},
  sudo: {
    flags: "AbBEHinNPsS",
    values: "aCcDghpRrTtUu",
    longValues: ["chdir", "chroot", "close-from", "command-timeout", "group", "host", "prompt", "role", "type", "user"],
    longFlags: ["askpass", "background", "login", "non-interactive", "preserve-env", "set-home", "shell", "stdin"],
  },
  "systemd-run": {},
  taskset: { flags: "acp", longFlags: ["all-tasks", "cpu-list"], operands: 1 },
  time: {
    flags: "apqvV",
    values: "fo",
    longValues: ["format", "output"],
    longFlags: ["append", "portability", "quiet", "verbose"],
  },
  timeout: {
    flags: "fpv",
    values: "ks",
    longValues: ["kill-after", "signal"],
    longFlags: ["foreground", "preserve-status", "verbose"],
    operands: 1,
  },
  torsocks: {},
  toybox: {},
  unbuffer: { flags: "p" },
  unshare: {},
  valgrind: {},
  watch: {
    flags: "bcdegprtwx",
    values: "nq",
    longValues: ["equexit", "interval"],
    longFlags: ["beep", "chgexit", "color", "differences", "errexit", "exec", "no-title", "no-wrap", "precise"],
    script: true,
  },
  xargs: {
    flags: "0oprtx",
    values: "adEILnPs",
    attached: "eil",
    longValues: ["arg-file", "delimiter", "max-args", "max-chars", "max-procs", "process-slot-var"],
    longFlags: ["eof", "exit", "interactive", "max-lines", "no-run-if-empty", "null", "open-tty", "replace", "verbose"],
    input: true,
  },
  "xvfb-run": {},
}
