import { expect, test } from "vitest"
import type { SandboxConfig } from "../../ground/schema/sandbox-config.ts"
import { sandboxIn } from "./sandbox-in.ts"

/** The settings in the files of the project and of the workspace itself; `{}` for none. */
type Settings = Partial<Record<"project" | "own", SandboxConfig>>

const resultIn = (place: Parameters<typeof sandboxIn>[0], { project, own }: Settings = {}) =>
  sandboxIn(place, project, own)

const workspace = ({ roots, isShared }: { roots: string[] | null; isShared: boolean }) => ({
  limits: () => ({ roots, others: [] }),
  isShared,
})
const on = { mode: "on" } as const
const off = { mode: "off" } as const
const required = { mode: "required" } as const

test("shared workspaces require the sandbox, unless the workspace's own file lifts it", () => {
  expect(resultIn(workspace({ roots: null, isShared: true }))).toEqual(required)
  expect(resultIn(workspace({ roots: null, isShared: true }), { project: { network: { allow: ["x.org"] } } })).toEqual({
    network: { allow: ["x.org"] },
    ...required,
  })
  // The project's settings do not weaken it.
  expect(resultIn(workspace({ roots: null, isShared: true }), { project: on })).toEqual(required)
  expect(resultIn(workspace({ roots: null, isShared: true }), { project: on, own: on })).toEqual(on)
  expect(resultIn(workspace({ roots: null, isShared: true }), { project: required, own: on })).toEqual(required)
  expect(resultIn(workspace({ roots: null, isShared: true }), { project: off, own: off })).toEqual(off)
})

test("roots require the sandbox, unless the workspace's own file says off", () => {
  for (const isShared of [true, false]) {
    expect(resultIn(workspace({ roots: ["/srv"], isShared }), { project: on, own: on })).toEqual(required)
    expect(resultIn(workspace({ roots: ["/srv"], isShared }), { project: off, own: off })).toEqual(off)
  }
  expect(resultIn(workspace({ roots: null, isShared: false }))).toEqual({})
  expect(resultIn(workspace({ roots: null, isShared: false }), { project: on })).toEqual(on)
})
