import { expect, test } from "vitest"
import { sandboxIn } from "./sandbox-in.ts"

const workspace = ({ roots, isShared }: { roots: string[] | null; isShared: boolean }) => ({
  limits: () => ({ roots, others: [] }),
  isShared,
})
const on = { mode: "on" } as const
const off = { mode: "off" } as const
const required = { mode: "required" } as const

test("shared workspaces require the sandbox, unless the workspace's own file lifts it", () => {
  expect(sandboxIn(workspace({ roots: null, isShared: true }))).toEqual(required)
  expect(sandboxIn(workspace({ roots: null, isShared: true }), { network: { allow: ["x.org"] } })).toEqual({
    network: { allow: ["x.org"] },
    ...required,
  })
  // The project's settings do not weaken it.
  expect(sandboxIn(workspace({ roots: null, isShared: true }), on)).toEqual(required)
  expect(sandboxIn(workspace({ roots: null, isShared: true }), on, on)).toEqual(on)
  expect(sandboxIn(workspace({ roots: null, isShared: true }), required, on)).toEqual(required)
  expect(sandboxIn(workspace({ roots: null, isShared: true }), off, off)).toEqual(off)
})

test("roots require the sandbox, unless the workspace's own file says off", () => {
  for (const isShared of [true, false]) {
    expect(sandboxIn(workspace({ roots: ["/srv"], isShared }), on, on)).toEqual(required)
    expect(sandboxIn(workspace({ roots: ["/srv"], isShared }), off, off)).toEqual(off)
  }
  expect(sandboxIn(workspace({ roots: null, isShared: false }))).toEqual({})
  expect(sandboxIn(workspace({ roots: null, isShared: false }), on)).toEqual(on)
})
