import { homedir } from "node:os"
import path from "node:path"
import { visibleText } from "@docket/core/rule"
import { type Command, Option } from "commander"
import { projectOption } from "../connect/project-directory.ts"
import { env } from "../env.ts"
import { exitCode } from "../exit-code.ts"
import { finish } from "../finish.ts"
import { lookAt, lookAtExtensions, openedProject } from "../known-project.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import { shellWord } from "../shell-word.ts"
import { UsageError } from "../usage-error.ts"
import { mcpLines, mcpTestLines } from "./mcp-lines.ts"
import { requireServer } from "./require-server.ts"

interface McpOptions extends ServiceOptions {
  project?: string
  json?: boolean
}

/** `docket mcp`: the MCP servers of a project as the running service has them, and those of other programs. */
export function addMcpCommands(unwritten: AbortSignal, program: Command): void {
  const mcp = program
    .command("mcp")
    .description("the Model Context Protocol: servers whose tools agents use, and Docket as a server")
  const run = (work: Promise<number>) => finish(unwritten, work)

  addServiceOptions(mcp.command("serve"))
    .description(
      "offer the running service to an MCP client on stdin and stdout, so that it delegates to Docket's agents",
    )
    .action((options: ServiceOptions) =>
      run(
        withService(options, async ({ url, token, ended }) => {
          const { bridgeMcp } = await import("./bridge-mcp.ts")
          await bridgeMcp({ url, token }, AbortSignal.any([unwritten, ended]))
        }),
      ),
    )
  asked(mcp.command("list"))
    .description("list the servers of a project with their state, tools and last error")
    .action((options: McpOptions) => run(list(options)))
  asked(mcp.command("test"))
    .description("start a server now, and show its tools or why it fails")
    .argument("<server>", "its name")
    .action((name: string, options: McpOptions) => run(test(name, options)))
  asked(mcp.command("restart"))
    .description("end a server; it starts again with its next call")
    .argument("<server>", "its name")
    .action((name: string, options: McpOptions) => run(restart(name, options)))
  asked(mcp.command("login"))
    .description("sign in to a remote server, in a browser here or elsewhere")
    .argument("<server>", "its name")
    .option("--device", "on another device, with a code")
    .option("--for-all", "for everybody who works with it, where all share one sign-in")
    .action((name: string, options: LoginOptions) => run(login(unwritten, name, options)))
  asked(mcp.command("logout"))
    .description("forget the sign-in to a remote server")
    .argument("<server>", "its name")
    .option("--for-all", "the one that all share")
    .action((name: string, options: LoginOptions) => run(logout(name, options)))
  mcp
    .command("add")
    .description("add a server to your own docket.json, or to that of a project")
    .argument("<server>", "its name")
    .argument("[command...]", "after --, the program with its arguments")
    .option("--url <address>", "a remote server instead of a program")
    .addOption(new Option("--transport <kind>", "how a remote server is spoken to").choices(["http", "sse"]))
    .option("--env <NAME=value...>", "variables of the program; {env:NAME} reads one of the service")
    .option("--header <Name: value...>", "headers of every request to a remote server")
    .option("--project <directory>", "the docket.json of a project, which counts once it is trusted")
    .action((name: string, command: string[], options: AddOptions) => run(add(name, command, options)))
  addServiceOptions(mcp.command("remove"))
    .description("take a server out of your own docket.json, and forget your sign-in to it")
    .argument("<server>", "its name")
    .option("--project <directory>", projectOption)
    .action((name: string, options: McpOptions) => run(remove(name, options)))
  mcp
    .command("import")
    .description("show the servers that other programs have on this machine, and what is left out")
    .option("--project <directory>", "those that a project brings for other programs, instead of your own")
    .option("--write", "put them into your own docket.json, or that of the project; one that is there stays as it is")
    .action((options: { project?: string; write?: boolean }) => run(importServers(options)))
}

function asked(command: Command): Command {
  return addServiceOptions(command)
    .option("--project <directory>", projectOption)
    .option("--json", "as JSON, for programs")
}

async function list(options: McpOptions): Promise<number> {
  return withService(options, async (service) => {
    const { place, project } = await lookAtExtensions(service, options.project)
    const all = await service.client.extension.list.query(place)
    const servers = all.filter(({ ref }) => ref.kind === "mcp")
    print(options.json ? JSON.stringify(servers, null, 2) : mcpLines(servers, project).join("\n"))
  })
}

async function test(name: string, options: McpOptions): Promise<number> {
  let isReady = false
  const code = await withService(options, async (service) => {
    const { place, project } = await lookAtExtensions(service, options.project)
    const server = await service.client.extension.start.mutate({ ...place, kind: "mcp", name })
    isReady = server.state === "ready"
    print(options.json ? JSON.stringify(server, null, 2) : mcpTestLines(server, project).join("\n"))
  })
  return code === exitCode.done && !isReady ? exitCode.failed : code
}

async function restart(name: string, options: McpOptions): Promise<number> {
  return withService(options, async (service) => {
    const projectID = await openedProject(service, options.project)
    await service.client.extension.restart.mutate({ projectID, kind: "mcp", name })
    process.stderr.write(`${visibleText(name)} is ended; its next call starts it\n`)
  })
}

async function remove(name: string, options: McpOptions): Promise<number> {
  return withService(options, async (service) => {
    const { place } = await lookAtExtensions(service, options.project)
    await service.client.extension.uninstall.mutate({ ...place, kind: "mcp", name })
    process.stderr.write(`${visibleText(name)} is taken out of your docket.json\n`)
  })
}

interface LoginOptions extends McpOptions {
  device?: boolean
  forAll?: boolean
}

async function login(unwritten: AbortSignal, name: string, { device, forAll = false, ...options }: LoginOptions) {
  return withService(options, async (service) => {
    const { place } = await lookAt(service, options.project)
    await requireServer(service.client, { ...place, name })
    const { signIn } = await import("./sign-in.ts")
    const signal = AbortSignal.any([unwritten, service.ended])
    const signing = { client: service.client, named: { ...place, kind: "mcp" as const, name }, signal }
    const method = device ? "device" : "browser"
    const say = (text: string) => process.stderr.write(`${text}\n`)
    say(await signIn({ ...signing, input: process.stdin, print: say }, { method, forAll }))
  })
}

async function logout(name: string, { forAll = false, ...options }: LoginOptions): Promise<number> {
  return withService(options, async (service) => {
    const { place } = await lookAt(service, options.project)
    await requireServer(service.client, { ...place, name })
    const { signOut, signOutForAll } = service.client.extension
    await (forAll ? signOutForAll : signOut).mutate({ ...place, kind: "mcp", name })
    process.stderr.write(`the sign-in to ${visibleText(name)} is forgotten\n`)
  })
}

interface AddOptions {
  url?: string
  transport?: "http" | "sse"
  env?: string[]
  header?: string[]
  project?: string
}

async function add(name: string, command: string[], { project, ...options }: AddOptions): Promise<number> {
  const { assertTypedName, serverOf, writeServers } = await import("./write-server.ts")
  assertTypedName(name)
  const file = project === undefined ? await ownFile() : path.join(path.resolve(project), "docket.json")
  const there = await writeServers(file, { [name]: serverOf(command, options) })
  const shown = visibleText(file)
  if (there.length > 0) throw new UsageError(`${shown} has a server "${name}" already; nothing was written`)
  const next = project === undefined ? `docket mcp test ${name}` : onceTrusted(path.dirname(file))
  process.stderr.write(`added ${name} to ${shown}; ${next}\n`)
  return exitCode.done
}

async function importServers({ project, write }: { project?: string; write?: boolean }): Promise<number> {
  const [{ findForeignServers, foreignLines }, { writeServers }] = await Promise.all([
    import("./foreign-servers.ts"),
    import("./write-server.ts"),
  ])
  const directory = project === undefined ? null : path.resolve(project)
  const file = directory === null ? await ownFile() : path.join(directory, "docket.json")
  const found = await findForeignServers(directory === null ? { home: homedir() } : { project: directory })
  if (found.length === 0) print("no other program has MCP servers here that Docket does not read by itself")
  for (const one of found) print(foreignLines(one).join("\n"))
  if (!write) {
    if (found.length > 0) process.stderr.write(`nothing was written; --write puts them into ${visibleText(file)}\n`)
    return exitCode.done
  }
  // The first file that has a name counts.
  const all = Object.assign({}, ...found.map(({ servers }) => servers).toReversed())
  const there = await writeServers(file, all)
  const added = Object.keys(all).filter((name) => !there.includes(name))
  const next = directory === null || added.length === 0 ? "" : `; ${onceTrusted(directory)}`
  const names = added.length === 0 ? "nothing" : added.map(visibleText).join(", ")
  process.stderr.write(`added ${names} to ${visibleText(file)}${next}\n`)
  if (there.length > 0) process.stderr.write(`there already: ${there.map(visibleText).join(", ")}\n`)
  return exitCode.done
}

function onceTrusted(project: string): string {
  return `this counts once the project is trusted: docket trust ${shellWord(project)}`
}

async function ownFile(): Promise<string> {
  const { userConfigDirectory } = await import("@docket/core/other-programs")
  const variables = { XDG_CONFIG_HOME: env.XDG_CONFIG_HOME }
  return path.join(userConfigDirectory({ home: homedir(), env: variables }), "docket.json")
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
