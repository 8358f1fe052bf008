import { visibleText } from "@docket/core/rule"
import type { Command } from "commander"
import { projectOption } from "../connect/project-directory.ts"
import { finish } from "../finish.ts"
import { lookAt, lookAtExtensions } from "../known-project.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import { UsageError } from "../usage-error.ts"
import { pluginLines } from "./plugin-lines.ts"

interface PluginOptions extends ServiceOptions {
  project?: string
  json?: boolean
}

interface LoginOptions extends PluginOptions {
  way?: string
  input?: string[]
}

/** `docket plugin`: the plugins of a project, and signing in to providers with the user's own. */
export function addPluginCommands(unwritten: AbortSignal, program: Command): void {
  const plugin = program.command("plugin").description("plugins: what runs, and signing in to providers with them")
  const run = (work: Promise<number>) => finish(unwritten, work)
  asked(plugin.command("list"))
    .description("list the plugins of a project with their state, and who is signed in with them")
    .option("--json", "as JSON, for programs")
    .action((options: PluginOptions) => run(list(options)))
  asked(plugin.command("login"))
    .description("sign in to the provider of a plugin of your own configuration")
    .argument("<plugin>", "its name")
    .option("--way <number>", "one of its ways to sign in, from 1")
    .option("--input <name=value...>", "what the way asks for; what is left out is asked for here")
    .action((name: string, options: LoginOptions) => run(login(unwritten, name, options)))
  asked(plugin.command("logout"))
    .description("forget the sign-in of a plugin")
    .argument("<plugin>", "its name")
    .action((name: string, options: PluginOptions) => run(logout(name, options)))
}

function asked(command: Command): Command {
  return addServiceOptions(command).option("--project <directory>", projectOption)
}

async function list(options: PluginOptions): Promise<number> {
  return withService(options, async (service) => {
    const { place } = await lookAtExtensions(service, options.project)
    const all = await service.client.extension.list.query(place)
    const plugins = all.filter(({ ref }) => ref.kind === "plugin")
    const text = options.json ? JSON.stringify(plugins, null, 2) : pluginLines(plugins).join("\n")
    process.stdout.write(`${text}\n`)
  })
}

async function login(unwritten: AbortSignal, name: string, { way, input = [], ...options }: LoginOptions) {
  return withService(options, async (service) => {
    const { place } = await lookAt(service, options.project)
    const { signInWithPlugin } = await import("./sign-in-with-plugin.ts")
    const say = (text: string) => process.stderr.write(`${text}\n`)
    const signing = {
      ...{ client: service.client, named: { ...place, kind: "plugin" as const, name } },
      ...{ input: process.stdin, print: say, signal: AbortSignal.any([unwritten, service.ended]) },
    }
    say(await signInWithPlugin(signing, { way: readWay(way), inputs: readInputs(input) }))
  })
}

async function logout(name: string, options: PluginOptions): Promise<number> {
  return withService(options, async (service) => {
    const { place } = await lookAt(service, options.project)
    await service.client.extension.signOut.mutate({ ...place, kind: "plugin", name })
    process.stderr.write(`the sign-in of ${visibleText(name)} is forgotten\n`)
  })
}

/** @throws UsageError */
function readWay(text: string | undefined): number {
  const way = Number(text ?? "1")
  if (Number.isInteger(way) && way > 0) return way - 1
  throw new UsageError(`--way takes a number from 1, and not "${text}"`)
}

/** @throws UsageError */
function readInputs(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf("=")
      if (at < 1) throw new UsageError(`--input takes name=value, and not "${text}"`)
      return [text.slice(0, at), text.slice(at + 1)]
    }),
  )
}
