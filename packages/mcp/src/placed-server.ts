import { open, readFile } from "node:fs/promises"
import path from "node:path"
import { DocketError, isDocketError } from "@docket/core/error"
import type { FoundPackages } from "@docket/core/installed-packages"
import { fetchesPackage, npxCommand } from "@docket/core/npx-command"
import { formatPackageSpec, parsePackageSpec } from "@docket/core/package-spec"
import type { McpServer } from "@docket/core/schema"
import { z } from "zod"

/** A server with what its command stands for on this machine. */
export interface PlacedServer extends McpServer {
  /** Where the package that it runs is installed (absolute). */
  packageDirectory?: string
  /** Why it cannot start yet, and the package to install. */
  waits?: { why: string; installs: string | null }
}

/**
 * Puts the program of an installed package in place of `npx`, which would fetch whatever is the newest at each start. A server
 * that runs as it is written, with the user's rights, is left alone.
 */
export async function placeServer(packages: FoundPackages, server: McpServer): Promise<PlacedServer> {
  const { config, scope } = server
  if (config.type !== "local" || (scope === "user" && config.sandbox === false)) return server
  const npx = npxCommand(config.command)
  if (npx === null) {
    if (scope === "user" || !fetchesPackage(config.command)) return server
    const why = `Nobody has looked at what "${config.command.join(" ")}" would fetch, and Docket cannot tell. Write it as npx PACKAGE, or install it and name its file.`
    return { ...server, waits: { why, installs: null } }
  }
  try {
    const wanted = parsePackageSpec(npx.spec)
    const installed = await packages.find(wanted)
    if (installed === null) {
      const spec = formatPackageSpec(wanted)
      const why = `The package ${spec} is not installed. It is installed once somebody agrees to it: in Settings → Extensions, or with docket package install ${spec}.`
      return { ...server, waits: { why, installs: spec } }
    }
    const directory = packages.directoryOf(installed)
    const program = await programOf(path.join(directory, "node_modules", installed.name), npx.program)
    const command = [...program, ...npx.args]
    return { ...server, config: { ...config, command }, packageDirectory: directory }
  } catch (error) {
    if (!isDocketError(error)) throw error
    return { ...server, waits: { why: error.message, installs: null } }
  }
}

const Manifest = z.looseObject({
  name: z.string(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
})

/** The words that start a program of a package: its only one, or the one that is named like the package. */
async function programOf(root: string, named: string | null): Promise<string[]> {
  const { name, bin = {} } = Manifest.parse(JSON.parse(await readFile(path.join(root, "package.json"), "utf8")))
  const usual = name.split("/").at(-1) ?? name
  const programs = new Map(Object.entries(typeof bin === "string" ? { [usual]: bin } : bin))
  const [only] = programs.size === 1 ? programs.values() : []
  const file = programs.get(named ?? usual) ?? (named === null ? only : undefined)
  if (file === undefined) {
    const known = programs.size === 0 ? "It has none." : `It has ${[...programs.keys()].join(", ")}.`
    throw new DocketError("invalid_input", `The package ${name} has no program ${named ?? usual}. ${known}`)
  }
  const program = path.resolve(root, file)
  return (await isForNode(program)) ? ["node", program] : [program]
}

/** Files of packages need not be executable: whoever links them makes them so. */
async function isForNode(file: string): Promise<boolean> {
  if (/\.[cm]?js$/.test(file)) return true
  await using opened = await open(file)
  const { buffer, bytesRead } = await opened.read(Buffer.alloc(200), 0, 200, 0)
  return /^#!.*\bnode\b/.test(buffer.subarray(0, bytesRead).toString("latin1"))
}
