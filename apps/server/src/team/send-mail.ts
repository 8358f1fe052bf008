import type { TeamSettings } from "./team-settings.ts"

export interface Mail {
  to: string
  subject: string
  /** Plain text. */
  text: string
}

/** Whether the mail server took it. A failure is logged: the link that was in it can still be copied. */
export type SendMail = (mail: Mail) => Promise<boolean>

/** How long a mail server may take to answer (ms). */
const patienceMs = 15_000

export async function createSendMail(
  { url, from }: NonNullable<TeamSettings["smtp"]>,
  log: (text: string, error: unknown) => void,
): Promise<SendMail> {
  const { createTransport } = await import("nodemailer")
  const timeouts = { connectionTimeout: patienceMs, greetingTimeout: patienceMs, socketTimeout: patienceMs }
  const server = new URL(url)
  const transport = createTransport({
    host: server.hostname,
    port: server.port === "" ? (server.protocol === "smtps:" ? 465 : 587) : Number(server.port),
    secure: server.protocol === "smtps:",
    ...(server.username !== "" && {
      auth: { user: decodeURIComponent(server.username), pass: decodeURIComponent(server.password) },
    }),
    ...timeouts,
  })
  return async (mail) => {
    try {
      await transport.sendMail({ from, ...mail })
      return true
    } catch (error) {
      log("a mail was not sent", error)
      return false
    }
  }
}
