import { coreOperations } from "@docket/core/operations"
import { operationProcedures } from "./operation-procedures.ts"
import { auditRouter } from "./procedures/audit.ts"
import { eventRouter } from "./procedures/event.ts"
import { meRouter } from "./procedures/me.ts"
import { nodesRouter } from "./procedures/nodes.ts"
import { sessionProcedures } from "./procedures/session.ts"
import { teamRouter } from "./procedures/team.ts"
import { workspaceProcedures } from "./procedures/workspace.ts"
import { router } from "./trpc.ts"

const core = operationProcedures(coreOperations, [])

/** Every procedure, by area. Mounted at `/api/trpc`. */
export const appRouter = router({
  ...core,
  me: meRouter,
  session: { ...core.session, ...sessionProcedures },
  event: eventRouter,
  team: teamRouter,
  audit: auditRouter,
  nodes: nodesRouter,
  workspace: { ...core.workspace, ...workspaceProcedures },
})

export type AppRouter = typeof appRouter
