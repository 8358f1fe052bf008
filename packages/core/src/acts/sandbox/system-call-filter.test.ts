import { expect, test } from "vitest"
import { systemCallFilter } from "./system-call-filter.ts"

const machines = { x64: 0xc000003e, arm64: 0xc00000b7, i386: 0x40000003 }
const allowed = 0x7fff0000
const failed = (errno: number) => 0x50000 | errno

/** The kernel's result for a call: runs the program step by step. */
function judged(program: Buffer, { machine, number, first = 0 }: { machine: number; number: number; first?: number }) {
  const facts: Record<number, number> = { 0: number, 4: machine, 16: first }
  let value = 0
  for (let at = 0; at < program.length / 8; at++) {
    const [code, yes, no] = [program.readUInt16LE(at * 8), program[at * 8 + 2] ?? 0, program[at * 8 + 3] ?? 0]
    const constant = program.readUInt32LE(at * 8 + 4)
    if (code === 0x06) return constant
    if (code === 0x20) value = facts[constant] ?? 0
    else at += (code === 0x15 ? value === constant : value >= constant) ? yes : no
  }
  throw new Error("the program has no end")
}

test.each([
  ["x64", { refused: [248, 249, 250, 298, 321, 323], socket: 41, ptrace: 101 }],
  ["arm64", { refused: [217, 218, 219, 241, 280, 282], socket: 198, ptrace: 117 }],
] as const)("the filter of %s refuses its calls and lets others through", (processor, { refused, socket, ptrace }) => {
  const program = systemCallFilter(processor) ?? Buffer.alloc(0)
  const machine = machines[processor]
  // 425 is io_uring_setup.
  const passing = [...Array(500).keys()].filter((number) => judged(program, { machine, number }) === allowed)
  const expected = [...Array(500).keys()].filter((number) => ![...refused, 425].includes(number))
  expect(passing).toEqual(expected)
  expect(passing).toContain(ptrace)
  for (const number of refused) expect(judged(program, { machine, number })).toBe(failed(1))
  expect(judged(program, { machine, number: socket, first: 40 })).toBe(failed(97))
  expect(judged(program, { machine, number: socket, first: 1 })).toBe(allowed)
})

test("the filter refuses x32 and programs for other processors", () => {
  const program = systemCallFilter("x64") ?? Buffer.alloc(0)
  expect(judged(program, { machine: machines.x64, number: 0x40000000 + 39 })).toBe(failed(38))
  expect(judged(program, { machine: machines.i386, number: 20 })).toBe(failed(38))
  expect(systemCallFilter("riscv64")).toBeNull()
})
