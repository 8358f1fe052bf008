/** How a processor numbers what the filter speaks of. Source: the kernel's tables of system calls and `linux/audit.h`. */
interface Numbers {
  /** As the kernel names it in `seccomp_data.arch`. */
  machine: number
  /** `add_key`, `request_key`, `keyctl`, `bpf`, `perf_event_open`, `userfaultfd`. */
  refused: readonly number[]
  socket: number
  /** From here on calls are of x32, which numbers everything otherwise; null where there is no such thing. */
  x32: number | null
}

const processors: Readonly<Record<string, Numbers>> = {
  x64: { machine: 0xc000003e, refused: [248, 249, 250, 321, 298, 323], socket: 41, x32: 0x40000000 },
  arm64: { machine: 0xc00000b7, refused: [217, 218, 219, 280, 241, 282], socket: 198, x32: null },
}

/** The same for both: what is asked of the kernel by this passes no filter, sockets among it. */
const ioUringSetup = 425
/** Reaches the machine below a virtual one, past every network namespace. */
const familyVsock = 40

const load = 0x20
const jumpIfEqual = 0x15
const jumpIfAtLeast = 0x35
const end = 0x06

const allow = 0x7fff0000
const fail = (errno: number) => 0x00050000 | errno
const notPermitted = fail(1)
const noSuchCall = fail(38)
const noSuchFamily = fail(97)

/** Offsets in `seccomp_data`. */
const numberAt = 0
const machineAt = 4
const firstArgumentAt = 16

type Step = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

/**
 * A program for seccomp(2) by which the kernel's keyrings, BPF, performance events, userfaultfd, io_uring and sockets to the
 * machine below fail. Programs for another processor than this, also 32-bit ones, have no system calls: theirs have other
 * numbers. Null for a processor whose numbers are not known here.
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
