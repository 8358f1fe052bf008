import { type GitServer, startGitServer } from "@docket/config/git-server"
import { onTestFinished } from "vitest"

export { allowTestServer, type GitServer } from "@docket/config/git-server"

/** A server of one repository, until the test ends. */
export async function gitServer(files?: Record<string, string>): Promise<GitServer> {
  const server = await startGitServer(files)
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server
}
