/** The system call numbers of a processor. Source: the kernel's system call tables and `linux/audit.h`. */
interface Numbers {
  /** The value of `seccomp_data.arch`. */
  machine: number
  /** `add_key`, `request_key`, `keyctl`, `bpf`, `perf_event_open`, `userfaultfd`. */
  refused: readonly number[]
  socket: number
  /** Numbers from here on are x32 calls, which are numbered differently; null on processors without x32. */
  x32: number | null
}

const processors: Readonly<Record<string, Numbers>> = {
  x64: { machine: 0xc000003e, refused: [248, 249, 250, 321, 298, 323], socket: 41, x32: 0x40000000 },
  arm64: { machine: 0xc00000b7, refused: [217, 218, 219, 280, 241, 282], socket: 198, x32: null },
}

/** The same number on both processors. Requests through io_uring, such as opening sockets, bypass every filter. */
const ioUringSetup = 425
/** Reaches the host of a virtual machine, past every network namespace. */
const familyVsock = 40

/** Codes of the instructions: linux/bpf_common.h. */
const load = 0x20
const jumpIfEqual = 0x15
const jumpIfAtLeast = 0x35
const end = 0x06

/** Results of the filter: linux/seccomp.h. */
const allow = 0x7fff0000
const fail = (errno: number) => 0x00050000 | errno
/** EPERM, ENOSYS and EAFNOSUPPORT. */
const notPermitted = fail(1)
const noSuchCall = fail(38)
const noSuchFamily = fail(97)

/** Offsets in `seccomp_data`. */
const numberAt = 0
const machineAt = 4
const firstArgumentAt = 16

/** An instruction. `ifTrue` and `ifFalse` say how many of the next steps a jump skips. */
type Step = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

/**
 * A seccomp(2) program that makes kernel keyrings, BPF, performance events, userfaultfd, io_uring and sockets to the
 * virtual machine's host fail. All calls of programs for another processor (also 32-bit ones) fail too, because their
 * numbers differ. Null for an unknown processor.
 */
export function systemCallFilter(processor: string): Buffer | null {
  const numbers = processors[processor]
  if (numbers === undefined) return null
  const { machine, refused, socket, x32 } = numbers
  const failing = (number: number, result: number): Step[] => [
    [jumpIfEqual, 0, 1, number],
    [end, 0, 0, result],
  ]
  const steps: Step[] = [
    [load, 0, 0, machineAt],
    [jumpIfEqual, 1, 0, machine],
    [end, 0, 0, noSuchCall],
    [load, 0, 0, numberAt],
    ...(x32 === null
      ? []
      : ([
          [jumpIfAtLeast, 0, 1, x32],
          [end, 0, 0, noSuchCall],
        ] satisfies Step[])),
    ...refused.flatMap((number) => failing(number, notPermitted)),
    ...failing(ioUringSetup, noSuchCall),
    [jumpIfEqual, 1, 0, socket],
    [end, 0, 0, allow],
    [load, 0, 0, firstArgumentAt],
    ...failing(familyVsock, noSuchFamily),
    [end, 0, 0, allow],
  ]
  const program = Buffer.alloc(steps.length * 8)
  for (const [index, [code, ifTrue, ifFalse, value]] of steps.entries()) {
    program.writeUInt16LE(code, index * 8)
    program.writeUInt8(ifTrue, index * 8 + 2)
    program.writeUInt8(ifFalse, index * 8 + 3)
    program.writeUInt32LE(value, index * 8 + 4)
  }
  return program
}
