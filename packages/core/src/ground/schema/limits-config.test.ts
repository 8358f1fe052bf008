import { expect, test } from "vitest"
import { LimitsConfig, limitsOf, raisingKeys, tightenLimits } from "./limits-config.ts"

const GiB = 1024 ** 3

test("by default one command gets half the memory, all together three quarters", () => {
  expect(limitsOf(undefined, 16 * GiB)).toEqual({
    command: { processes: 1_024, memory: 8 * GiB, files: 65_536, written: 20 * GiB },
    all: { processes: 4_096, memory: 12 * GiB },
    free: null,
  })
})

test("sizes are numbers of bytes, or words with their unit", () => {
  const set = { command: { memory: "1.5 GiB", written: 3 * GiB }, all: { memory: "2TiB" }, free: "512 MiB" }
  expect(limitsOf(LimitsConfig.parse(set), GiB)).toMatchObject({
    command: { memory: 1.5 * GiB, written: 3 * GiB },
    all: { memory: 2 * 1024 * GiB },
    free: GiB / 2,
  })
})

test.each(["8 GB", "many", 100, "0 GiB"])("an invalid or too small size is refused: %s", (memory) => {
  expect(LimitsConfig.safeParse({ command: { memory } }).success).toBe(false)
})

test("a project can lower a command's limits, but raise none", () => {
  const own = { command: { processes: 500 }, all: { processes: 900 } }
  const asked = { command: { processes: 600, files: 1_000, memory: "1 MiB" }, all: { processes: 9 }, free: "1 MiB" }
  expect(tightenLimits(own, asked)).toEqual({
    command: { processes: 500, files: 1_000, memory: "1 MiB" },
    all: { processes: 900 },
  })
  expect(raisingKeys(own, asked)).toEqual([["command", "processes"], ["all"], ["free"]])
})
