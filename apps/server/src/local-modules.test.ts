import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { freePort } from "./test/free-port.ts"
import { startServiceProcess } from "./test/service-process.ts"

/** The modules that a service has loaded after its first answer, relative to the repository. */
async function modulesOf({ isTeam }: { isTeam: boolean }): Promise<string[]> {
  const home = await mkdtemp(path.join(tmpdir(), "docket-modules-"))
  onTestFinished(() => rm(home, { recursive: true, force: true, maxRetries: 10 }))
  const data = path.join(home, "data")
  const record = path.join(home, "modules")
  const env = {
    RECORD_MODULES: record,
    NODE_OPTIONS: `--import=${new URL("./test/record-modules.js", import.meta.url).href}`,
    ...(isTeam && { DOCKET_AUTH: "team", DOCKET_URL: `http://127.0.0.1:${await freePort()}` }),
  }
  await writeFile(record, "")
  const project = path.join(home, "project")
  await mkdir(project)
  const service = await startServiceProcess({ home, data, project, env })
  if (!isTeam) await service.query("session.list")
  await service.kill()
  return (await readFile(record, "utf8")).trim().split("\n")
}

const ofAccounts =
  /\/(?:better-auth|@better-auth|@simplewebauthn|nodemailer|rate-limiter-flexible|oauth4webapi)\/|\/src\/team\/open-team/
/** Reads the files of agents, skills and commands. */
const ofDefinitions = /\/yaml\/dist\//
/** Modules that call addresses from user input. */
const ofGuardedCalls = /\/undici\/lib\//
/** Prisma's client: a start runs only the SQL of Docket's own programs (`prisma/src/sql/program.ts`). */
const ofTypedCalls = /\/@prisma\/client\/|\/generated\/sqlite\//
/** Operators' commands, such as backups. */
const ofOperators = /\/tar-stream\/|\/src\/copy\/|\/operate\/(?!staging|home-files)/

/** What tells others what the service does. */
const ofTelemetry = /\/@opentelemetry\/|\/src\/telemetry\//

/** Maximum number of modules. Each takes a quarter of a millisecond: what a start does not need is loaded later. */
const mostModules = 1_180

it("a start loads nothing of accounts, operators, telemetry or the database client", async () => {
  const local = await modulesOf({ isTeam: false })
  expect(local.some((url) => url.endsWith("/start-service.ts"))).toBe(true)
  // Nothing of `ofDefinitions`, because this test has no agents, skills and commands of its own.
  const needless = [ofAccounts, ofOperators, ofDefinitions, ofGuardedCalls, ofTypedCalls, ofTelemetry]
  expect(local.filter((url) => needless.some((each) => each.test(url)))).toEqual([])
  expect(local.filter((url) => url.startsWith("file:")).length).toBeLessThanOrEqual(mostModules)
  const team = await modulesOf({ isTeam: true })
  expect(team.filter((url) => ofAccounts.test(url)).length).toBeGreaterThan(10)
  expect(team.filter((url) => ofOperators.test(url))).toEqual([])
})
