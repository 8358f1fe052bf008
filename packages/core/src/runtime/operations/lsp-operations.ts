import { z } from "zod"
import { DocketError } from "../../ground/error/docket-error.ts"
import { LanguageServerState, ProjectID } from "../../ground/schema/index.ts"
import { records } from "./audit-rule.ts"
import { ProjectInput } from "./input.ts"
import { mutation, query } from "./operation.ts"
import { invalid } from "./refusals.ts"

const missing = { 404: "there is no such project, or it is another tenant's" } as const

export const lspOperations = {
  /** The language servers of a project, running or not, and why not. */
  list: query({
    capability: "settings.read",
    input: ProjectInput,
    run: ({ lsp }, { projectID }) => lsp.list(projectID),
    rest: {
      method: "get",
      path: "/language-servers",
      operationID: "listLanguageServers",
      summary: "The language servers of a project, running or not, and why not.",
      query: { project: { type: "string", description: "a project id" } },
      status: 200,
      answer: { description: "the servers", schema: z.object({ servers: z.array(LanguageServerState) }) },
      refusals: { 400: "no project is named", ...missing },
      read({ query: { project } }) {
        const id = ProjectID.safeParse(project)
        if (!id.success) throw new DocketError("invalid_input", "name a project: ?project=prj_…")
        return { projectID: id.data }
      },
      write: (servers) => ({ servers }),
    },
  }),

  /** Stops the processes of a language server in a project; the next file that needs it starts it again. */
  restart: mutation({
    capability: "settings.manage",
    audit: records("server.restarted", { targets: ["server"] }),
    input: ProjectInput.extend({ server: z.string().min(1).max(100) }),
    run: ({ lsp }, { projectID, server }) => lsp.restart(projectID, server),
    rest: {
      method: "post",
      path: "/language-servers/restart",
      operationID: "restartLanguageServer",
      summary: "Stops a language server; the next file that needs it starts it again.",
      body: z.strictObject({ project: ProjectID, server: z.string().min(1).max(100) }),
      status: 200,
      answer: { description: "it is stopped", schema: z.object({ stopped: z.literal(true) }) },
      refusals: { ...invalid, ...missing },
      read: ({ body: { project, server } }) => ({ projectID: project, server }),
      write: () => ({ stopped: true }),
    },
  }),
}
