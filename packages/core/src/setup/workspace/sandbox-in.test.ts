import { expect, test } from "vitest"
import { sandboxIn } from "./sandbox-in.ts"

const of = (roots: string[] | null, isShared: boolean) => ({ limits: () => ({ roots, others: [] }), isShared })
const on = { mode: "on" } as const
const off = { mode: "off" } as const
const required = { mode: "required" } as const

test("commands in shared workspaces run sandboxed, unless their own file says otherwise", () => {
  expect(sandboxIn(of(null, true))).toEqual(required)
  expect(sandboxIn(of(null, true), { network: { allow: ["x.org"] } })).toEqual({
    network: { allow: ["x.org"] },
    ...required,
  })
  // The project's settings do not weaken it.
  expect(sandboxIn(of(null, true), on)).toEqual(required)
  expect(sandboxIn(of(null, true), on, on)).toEqual(on)
  expect(sandboxIn(of(null, true), required, on)).toEqual(required)
  expect(sandboxIn(of(null, true), off, off)).toEqual(off)
})

test("commands in workspaces with roots run sandboxed; a single user decides", () => {
  for (const isShared of [true, false]) {
    expect(sandboxIn(of(["/srv"], isShared), on, on)).toEqual(required)
    expect(sandboxIn(of(["/srv"], isShared), off, off)).toEqual(off)
  }
  expect(sandboxIn(of(null, false))).toEqual({})
  expect(sandboxIn(of(null, false), on)).toEqual(on)
})
