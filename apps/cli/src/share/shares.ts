import type { DocketClient } from "@docket/client"
import type { ListedShare, SharePreview } from "@docket/core"
import { tableLines } from "../table.ts"

type Client = Pick<DocketClient, "share" | "session">

export interface ShareWanted {
  frozen?: boolean
  expires?: number
  password?: string | undefined
  title?: string
  /** Only signed-in users can open the link. */
  workspace?: boolean
  /** Shows the secrets that were found instead of hiding them. */
  acceptFindings?: boolean
  /** Pictures and PDFs are shown too. */
  pictures?: boolean
}

export interface SharedLink {
  url: string
  /** The secrets that were found and whether they are hidden, as lines for the user. */
  report: string[]
}

/** Shares a session with all its subagents. Secrets that are found are hidden, unless the user accepts to show them. */
export async function shareSession(client: Client, sessionID: string, options: ShareWanted): Promise<SharedLink> {
  const { rootID } = await client.session.get.query({ sessionID })
  const { key, findings } = await client.share.preview.query({ rootID })
  const { frozen = false, expires, password, title, workspace = false, acceptFindings = false } = options
  const { pictures = false } = options
  const digests = findings.map(({ digest }) => digest)
  const decision = acceptFindings ? "accept" : "redact"
  const { url } = await client.share.create.mutate({
    rootID,
    mode: frozen ? "frozen" : "live",
    audience: workspace ? "workspace" : "link",
    ...(expires !== undefined && { expires }),
    ...(password !== undefined && { password }),
    ...(title !== undefined && { title }),
    ...(pictures && { shows: { outputs: true, reasoning: true, files: true, pictures } }),
    // Decided by digest, so secrets that are found later are hidden.
    decisions: { digests: Object.fromEntries(digests.map((digest) => [digest, decision])), rules: {} },
    reviewed: { key, digests },
  })
  const notes = [
    ...(pictures ? ["Pictures and PDFs are shown. No scan reads them: look through them yourself."] : []),
    ...(password === undefined ? [] : ["Readers are asked for the password."]),
  ]
  return { url, report: [...reportOf(findings, acceptFindings), ...notes] }
}

function reportOf(findings: SharePreview["findings"], isShown: boolean): string[] {
  if (findings.length === 0) return ["Nothing was found that looks secret. Docket cannot know every secret."]
  const sums = [...Map.groupBy(findings, ({ label }) => label)].map(
    ([label, own]) => `  ${label}: ${own.reduce((sum, { count }) => sum + count, 0)}×`,
  )
  const what = isShown
    ? "These are shown as they are, as you asked:"
    : "These are hidden (--accept-findings shows them):"
  return [what, ...sums]
}

/** Revokes all links of the session's tree. Returns a message with their number. */
export async function unshareSession(client: Client, sessionID: string): Promise<string> {
  const { rootID } = await client.session.get.query({ sessionID })
  const { length } = await client.share.revokeAll.mutate({ rootID })
  return length === 0 ? "it has no links" : `revoked ${length === 1 ? "its link" : `its ${length} links`}`
}

/** The links of the workspace as lines under a heading, newest first. They contain no secrets. */
export async function listShares(client: Client, { all = false }: { all?: boolean }): Promise<string[]> {
  const rows = (await client.share.list.query({})).filter(({ time }) => all || time.revoked === null).map(shareCells)
  return rows.length === 0
    ? ["no links"]
    : tableLines([["id", "session", "made", "for", "ends", "views", "hidden", "title"], ...rows])
}

function shareCells(share: ListedShare): string[] {
  const { id, rootID, time, audience, hasPassword, expires, views, hidden, title } = share
  const count = Object.values(hidden).reduce((sum, next) => sum + next, 0)
  const ends = time.revoked !== null ? "revoked" : expires === null ? "never" : minute(expires)
  const who = `${audience === "link" ? "anyone" : "signed in"}${hasPassword ? ", password" : ""}`
  return [id, rootID, minute(time.created), who, ends, String(views), String(count), title ?? ""]
}

/** To the minute, in UTC, e.g. `2026-11-22 09:30Z`. */
function minute(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")}Z`
}
