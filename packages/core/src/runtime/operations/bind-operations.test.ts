import { expect, it } from "vitest"
import { z } from "zod"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { Store } from "../../ground/store/index.ts"
import type { CallerServices } from "../caller-services.ts"
import { createRequests } from "../requests.ts"
import type { TreeVisibility } from "../tree-visibility.ts"
import { notRecorded } from "./audit-rule.ts"
import { bindOperations } from "./bind-operations.ts"
import { mutation, query } from "./operation.ts"

const TaskInput = z.object({ taskID: z.string() })

/** Operations that note when they run, for a caller who may not see the tree `hidden` with its task `hid`. */
function bound({ key, isMember = true }: { key?: string; isMember?: boolean } = {}) {
  const done: string[] = []
  const roots = ["seen", "hidden", "seen", "hidden", "seen"]
  const said = { capability: "read", target: null } as const
  const operations = {
    task: {
      start: mutation({
        ...said,
        audit: notRecorded("it is a test of order"),
        input: TaskInput,
        target: ({ taskID }) => ({ kind: "task", ref: taskID }),
        idempotent: "remembered",
        member: true,
        run: async (_, { taskID }) => `${taskID} ${done.push(`run ${taskID}`)}`,
      }),
      make: mutation({
        ...said,
        audit: notRecorded("it is a test of order"),
        input: TaskInput,
        idempotent: { row: "todo", finds: true },
        run: async (_, _input, { id }) => id,
      }),
    },
    list: query({ ...said, input: null, run: async () => roots, lists: (root) => root }),
    page: query({
      ...said,
      input: z.object({ limit: z.number().optional(), cursor: z.string().optional() }),
      async run(_, { limit = 10, cursor = "0" }) {
        const end = Number(cursor) + limit
        return { items: roots.slice(Number(cursor), end), cursor: end < roots.length ? String(end) : null }
      },
      pages: { usual: 10, rootOf: (root) => root },
    }),
  }
  const hidden = { isEmpty: false, has: (root: string) => root === "hidden" }
  const visibility = {
    hidden: async () => hidden,
    async check(_kind: string, ref: string) {
      done.push(`look ${ref}`)
      if (ref === "hid") throw new DocketError("task_not_found", "There is no such task.")
    },
  }
  return {
    done,
    ...bindOperations(operations, {
      // Nothing else of these is used.
      caller: { person: "ann", workspace: "local" },
      services: {} as CallerServices,
      visibility: visibility as unknown as TreeVisibility,
      async whileMember(act) {
        done.push("member")
        if (!isMember) throw new DocketError("role_forbidden", "They are gone.")
        return act()
      },
      hosts: null,
      rows: {} as Store,
      requests:
        key === undefined
          ? null
          : createRequests({ clock: () => 0, onError: console.error })({ person: "ann", workspace: "local" }, key),
    }),
  }
}

it("checks visibility, then membership, and then runs", async () => {
  const { task, done } = bound()
  await task.start({ taskID: "a" })
  expect(done).toEqual(["look a", "member", "run a"])
})

it("runs nothing on hidden rows and nothing for former members", async () => {
  const seeing = bound()
  await expect(seeing.task.start({ taskID: "hid" })).rejects.toMatchObject({ code: "task_not_found" })
  expect(seeing.done).toEqual(["look hid"])
  const gone = bound({ isMember: false })
  await expect(gone.task.start({ taskID: "a" })).rejects.toMatchObject({ code: "role_forbidden" })
  expect(gone.done).toEqual(["look a", "member"])
})

it("gives a repeated request the same answer", async () => {
  const { task, done } = bound({ key: "k" })
  expect(await task.start({ taskID: "a" })).toBe(await task.start({ taskID: "a" }))
  expect(done).toEqual(["look a", "member", "run a"])
  await task.start({ taskID: "b" })
  expect(done.filter((what) => what.startsWith("run"))).toEqual(["run a", "run b"])
})

it("gives the row of a keyed request the same id each time", async () => {
  const [first, again, other] = [bound({ key: "k" }), bound({ key: "k" }), bound({ key: "other" })]
  const id = await first.task.make({ taskID: "a" })
  expect(id).toMatch(/^tod_/)
  expect(await again.task.make({ taskID: "a" })).toBe(id)
  expect(await other.task.make({ taskID: "a" })).not.toBe(id)
  expect(await bound().task.make({ taskID: "a" })).toBeUndefined()
})

it("leaves hidden items out of lists, and fills pages", async () => {
  const { list, page } = bound()
  expect(await list()).toEqual(["seen", "seen", "seen"])
  expect(await page({ limit: 2 })).toEqual({ items: ["seen", "seen"], cursor: "3" })
  expect(await page({})).toEqual({ items: ["seen", "seen", "seen"], cursor: null })
})
