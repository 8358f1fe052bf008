import type { DocketClient } from "@docket/client"
import { visibleText } from "@docket/core/rule"
import type { PackageFacts } from "@docket/core/schema"
import { tableLines } from "../table.ts"
import { UsageError } from "../usage-error.ts"

/** Shows the facts about a package and asks whether to install it. */
export type ConfirmInstall = (facts: PackageFacts) => Promise<boolean>

/** The installed packages as lines under a heading. */
export async function listPackages(client: DocketClient): Promise<string[]> {
  const installed = await client.provider.packages.query()
  if (installed.length === 0) return ["no packages"]
  const rows = installed.map(({ name, version, source, time }) => {
    return [name, version, new Date(time.installed).toISOString().slice(0, 10), source]
  })
  return tableLines([["package", "version", "installed", "from"], ...rows])
}

/**
 * Installs a package when `confirm` agrees to the registry's facts about it. @throws UsageError when it does not agree
 */
export async function installPackage(client: DocketClient, spec: string, confirm: ConfirmInstall): Promise<string> {
  const facts = await client.provider.lookUpPackage.query({ spec })
  if (facts.installed) return `${facts.name}@${facts.version} is installed already`
  if (!(await confirm(facts))) throw new UsageError("nothing was installed")
  const { name, version, integrity } = facts
  await client.provider.installPackage.mutate({ name, version, integrity })
  return `installed ${name}@${version}; what names it can use it now: "npm" of a provider, "plugin", or an MCP server's npx`
}

/**
 * Removes an installed version of a package, or all versions if none is named. @throws UsageError when there is none
 */
export async function removePackages(client: DocketClient, spec: string): Promise<string[]> {
  const installed = await client.provider.packages.query()
  const meant = installed.filter(({ name, version }) => spec === name || spec === `${name}@${version}`)
  if (meant.length === 0) throw new UsageError(`"${spec}" is not installed; docket package list shows what is`)
  const removed = meant.map(async ({ name, version }) => {
    await client.provider.removePackage.mutate({ name, version })
    return `removed ${name}@${version}`
  })
  return await Promise.all(removed)
}

/** The facts that the user confirms before an installation, as lines. Control characters are made visible. */
export function describePackage(facts: PackageFacts): string[] {
  const { dependencies } = facts
  const known = facts.usual === null ? "not one of the usual packages: check its name" : `the package of ${facts.usual}`
  const brings = dependencies.length === 0 ? "nothing" : dependencies.join(", ")
  const lines = [
    `${facts.name}@${facts.version}, ${known}`,
    ...(facts.description === null ? [] : [`  says of itself  ${facts.description}`]),
    `  comes from      ${facts.source}`,
    `  integrity       ${facts.integrity}`,
    `  code            ${facts.repository ?? "it names no repository"}`,
    `  license         ${facts.license ?? "none named"}`,
    `  brings along    ${brings}`,
    ...(facts.hasInstallScripts ? ["  scripts         it has scripts for its installation; they are not run"] : []),
    ...(facts.deprecated === null ? [] : [`  deprecated      ${facts.deprecated}`]),
    "As a provider its code runs with Docket's rights: it can read your files, use the network, and sees the keys of its provider. As an MCP server it runs in the sandbox, where there is one.",
  ]
  return lines.map((line) => visibleText(line))
}
