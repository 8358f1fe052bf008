import { realpath } from "node:fs/promises"
import type { ProjectTrust } from "@docket/core"
import { entryLine } from "@docket/core/config"
import type { Connected } from "../connect/connect.ts"
import { projectDirectory } from "../connect/project-directory.ts"
import { UsageError } from "../usage-error.ts"

type Service = Pick<Connected, "client" | "isRemote">

/** Shows lines and asks the user to confirm. */
export type ConfirmTrust = (lines: string[]) => Promise<boolean>

/**
 * Trusts the current configuration of a directory, after the user has seen it and agreed.
 * @returns the message for the user @throws UsageError when the user does not agree
 */
export async function trustDirectory(
  service: Service,
  named: string | undefined,
  confirm: ConfirmTrust,
): Promise<string> {
  const { client } = service
  const directory = await projectDirectory(service, named)
  const { id } = await client.project.open.mutate({ directory })
  const { trust } = await client.config.get.query({ projectID: id })
  if (trust.hash === null) {
    return `${directory} brings nothing that waits for your trust`
  }
  if (trust.state === "trusted") return `what ${trust.directory} brings is trusted already`
  if (!(await confirm(describeTrust(trust)))) throw new UsageError("nothing was trusted")
  await client.config.trust.mutate({ projectID: id, hash: trust.hash })
  return `what ${trust.directory} brings is trusted as it is now; docket untrust takes that back`
}

/** The project-provided configuration of a directory, as lines. */
export function describeTrust({ directory, state, entries }: ProjectTrust): string[] {
  if (state === "nothing") {
    return [
      `${directory} brings nothing that waits for your trust. If you trust it, its own programs may run, in the sandbox where this machine has one: language servers and formatters in its node_modules.`,
    ]
  }
  const head = state === "changed" ? "has changed since you trusted it; it brings now" : "brings"
  return [`${directory} ${head}:`, ...entries.map((entry) => `  ${entryLine(entry)}`)]
}

/** Revokes all trust in a directory, even if it no longer exists. @throws UsageError when nothing in it is trusted */
export async function untrustDirectory(service: Service, named: string | undefined): Promise<string> {
  const { client, isRemote } = service
  const directory = await projectDirectory(service, named)
  const trusted = await client.config.trusted.query()
  const names = [directory, isRemote ? directory : await realpath(directory).catch(() => directory)]
  const found = trusted.find((it) => names.includes(it.directory))
  if (found === undefined) {
    const others = trusted.map((it) => `  ${it.directory}`)
    throw new UsageError(
      [`you trust nothing in ${directory}${others.length > 0 ? "; you trust:" : ""}`, ...others].join("\n"),
    )
  }
  await client.config.revokeDirectory.mutate({ directory: found.directory })
  return `what ${found.directory} brings is not trusted any more; it can only make permissions stricter`
}
