import { expect, it } from "vitest"
import type { PermissionMetadata } from "../../ground/schema/index.ts"
import type { CallerServices } from "../caller-services.ts"
import type { Call } from "./operation.ts"
import { questionOperations } from "./permission-operations.ts"

it("question.list lists questions and plans, but no permission requests", async () => {
  const about = (metadata: PermissionMetadata) => ({ id: metadata.kind, metadata })
  const pending = [
    about({ kind: "question", questions: [] }),
    about({ kind: "path", path: "/etc" }),
    about({ kind: "plan", file: "plan.md", version: "1", questions: [], partID: "prt_1" } as PermissionMetadata),
  ]
  // Only the part that the list uses.
  const services = { permission: { pending: async () => pending } } as unknown as CallerServices
  const listed = await questionOperations.list.run(services, {}, {} as Call)
  expect(listed.map(({ id }) => id)).toEqual(["question", "plan"])
})
