import { coreOperations } from "@docket/core/operations"
import { operationProcedures } from "./operation-procedures.ts"
import { agentRouter } from "./procedures/agent.ts"
import { auditRouter } from "./procedures/audit.ts"
import { commandRouter } from "./procedures/command.ts"
import { configRouter } from "./procedures/config.ts"
import { eventRouter } from "./procedures/event.ts"
import { meRouter } from "./procedures/me.ts"
import { permissionRouter } from "./procedures/permission.ts"
import { projectRouter } from "./procedures/project.ts"
import { providerRouter } from "./procedures/provider.ts"
import { questionRouter } from "./procedures/question.ts"
import { sandboxRouter } from "./procedures/sandbox.ts"
import { sessionRouter } from "./procedures/session.ts"
import { shareRouter } from "./procedures/share.ts"
import { teamRouter } from "./procedures/team.ts"
import { transferRouter } from "./procedures/transfer.ts"
import { webhookRouter } from "./procedures/webhook.ts"
import { workspaceRouter } from "./procedures/workspace.ts"
import { router } from "./trpc.ts"

/** Every procedure, by area. Mounted at `/api/trpc`. */
export const appRouter = router({
  ...operationProcedures(coreOperations, []),
  me: meRouter,
  session: sessionRouter,
  permission: permissionRouter,
  question: questionRouter,
  event: eventRouter,
  agent: agentRouter,
  command: commandRouter,
  provider: providerRouter,
  project: projectRouter,
  config: configRouter,
  sandbox: sandboxRouter,
  share: shareRouter,
  team: teamRouter,
  audit: auditRouter,
  transfer: transferRouter,
  webhook: webhookRouter,
  workspace: workspaceRouter,
})

export type AppRouter = typeof appRouter
