import type { PermissionMetadata } from "@docket/core/schema"
import { expect, it } from "vitest"
import type { ApiContext } from "../context.ts"
import { appRouter } from "../router.ts"

it("lists every request that can be answered, whether a question or a plan", async () => {
  const about = (metadata: PermissionMetadata) => ({ id: metadata.kind, metadata })
  const pending = [
    about({ kind: "question", questions: [] }),
    about({ kind: "path", path: "/etc" }),
    about({ kind: "plan", file: "plan.md", version: "1", questions: [], partID: "prt_1" } as PermissionMetadata),
  ]
  const caller = { person: "local", workspace: "local" }
  // What the list does not ask for is not there.
  const ctx = {
    identity: { caller, name: "owner", role: "owner", via: "token", credentialID: "token", isOperator: true },
    recorder: null,
    runtime: { permission: { pending: async () => pending } },
  } as unknown as ApiContext
  const listed = await appRouter.createCaller(ctx).question.list({})
  expect(listed.map(({ id }) => id)).toEqual(["question", "plan"])
})
