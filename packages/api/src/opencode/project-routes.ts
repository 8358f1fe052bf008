import type * as Sdk from "@opencode-ai/sdk/v2/types"
import { answerJson } from "../http/answer.ts"
import { requires } from "../http/guarded-routes.ts"
import {
  callOf,
  countOf,
  type OpencodeApp,
  type OpencodeContext,
  type OpencodeDeps,
  projectOf,
} from "./opencode-app.ts"
import { OpencodeError } from "./opencode-error.ts"
import { commandShape, fileNodeShape, lspShapes, matchShape, mcpShape, projectShape } from "./project-shape.ts"

/** Files in an answer, at most. */
const mostFiles = 200

/** Projects: where they are, what is in them, and what is set for them. */
export function addProjectRoutes(app: OpencodeApp, deps: OpencodeDeps): void {
  app.get("/project", requires("read"), async (c) => {
    const { agents, onlyIn } = callOf(c, deps)
    const projects = (await agents.project.list()).filter(({ id }) => onlyIn === undefined || id === onlyIn)
    return answerJson(c, projects.map(projectShape) satisfies Sdk.ProjectListResponse, 200)
  })
  app.get("/project/current", requires("read"), async (c) =>
    answerJson(c, projectShape(await projectOf(callOf(c, deps))) satisfies Sdk.ProjectCurrentResponse, 200),
  )
  app.get("/path", requires("read"), async (c) => {
    const { directory, worktree } = await projectOf(callOf(c, deps))
    // Where the service keeps its own files is nobody's business.
    const own = { home: "", state: "", config: "" }
    return answerJson(c, { ...own, directory, worktree } satisfies Sdk.PathGetResponse, 200)
  })
  app.get("/vcs", requires("read"), async (c) => {
    const call = callOf(c, deps)
    const { id: projectID } = await projectOf(call)
    const branch = await call.agents.project.branch({ projectID })
    return answerJson(c, { ...(branch !== null && { branch }) } satisfies Sdk.VcsGetResponse, 200)
  })
  app.get("/command", requires("read"), async (c) => {
    const call = callOf(c, deps)
    const { id: projectID } = await projectOf(call)
    const commands = await call.agents.command.list({ projectID }, call.asker)
    return answerJson(c, commands.map(commandShape) satisfies Sdk.CommandListResponse, 200)
  })
  app.get("/find", requires("prompt"), async (c) => {
    const call = callOf(c, deps)
    const { id: projectID } = await projectOf(call)
    const asked = { projectID, pattern: queryOf(c, "pattern") }
    const matches = await call.agents.project.matches(asked, { ...call.asker, signal: leaving(c) })
    return answerJson(c, matches.map(matchShape) satisfies Sdk.FindTextResponse, 200)
  })
  app.get("/find/file", requires("prompt"), async (c) => {
    const call = callOf(c, deps)
    const { id: projectID } = await projectOf(call)
    const limit = Math.min(countOf(c, "limit") || mostFiles, mostFiles)
    const query = (c.req.query("query") ?? "").slice(0, 500)
    return answerJson(
      c,
      (await call.agents.project.files({ projectID, query, limit })) satisfies Sdk.FindFilesResponse,
      200,
    )
  })
  app.get("/file", requires("prompt"), async (c) => {
    const call = callOf(c, deps)
    const { id: projectID, directory } = await projectOf(call)
    const entries = await call.agents.project.entries({ projectID, path: c.req.query("path") || "." })
    return answerJson(c, entries.map((entry) => fileNodeShape(entry, directory)) satisfies Sdk.FileListResponse, 200)
  })
  app.get("/file/content", requires("prompt"), async (c) => {
    const call = callOf(c, deps)
    const { id: projectID } = await projectOf(call)
    const { encoding, content, mime } = await call.agents.project.content({ projectID, path: queryOf(c, "path") })
    const file: Sdk.FileContent =
      encoding === "utf8"
        ? { type: "text", content }
        : { type: "binary", content, encoding, ...(mime !== null && { mimeType: mime }) }
    return answerJson(c, file, 200)
  })
  app.get("/lsp", requires("settings.read"), async (c) => {
    const call = callOf(c, deps)
    const { id: projectID } = await projectOf(call)
    const servers = await call.agents.lsp.list({ projectID })
    return answerJson(c, servers.flatMap(lspShapes) satisfies Sdk.LspStatusResponse, 200)
  })
  app.get("/mcp", requires("settings.read"), async (c) => {
    const call = callOf(c, deps)
    const { id: projectID } = await projectOf(call)
    const servers = (await call.agents.extension.list({ projectID })).filter(({ ref }) => ref.kind === "mcp")
    const states = Object.fromEntries(servers.map((server) => [server.ref.name, mcpShape(server)]))
    return answerJson(c, states satisfies Sdk.McpStatusResponse, 200)
  })
}

/** @throws OpencodeError 400 */
function queryOf(c: OpencodeContext, name: string): string {
  const text = c.req.query(name) ?? ""
  if (text === "" || text.length > mostCharacters)
    throw new OpencodeError(400, `The address has no ${name}, or too long a one.`)
  return text
}

/** Of a path or a pattern. */
const mostCharacters = 4_096

/** Aborts when the caller hangs up. */
function leaving(c: OpencodeContext): AbortSignal {
  const closed = new AbortController()
  c.env.outgoing.once("close", () => closed.abort())
  return closed.signal
}
