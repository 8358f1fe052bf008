import { smtpOptions } from "./smtp-options.ts"
import type { TeamSettings } from "./team-settings.ts"

export interface Mail {
  to: string
  subject: string
  /** Plain text. */
  text: string
}

/** Whether the mail server accepted it. A failure is logged: the link can still be copied. */
export type SendMail = (mail: Mail) => Promise<boolean>

/** Time limit for an answer of the mail server (ms). */
const patienceMs = 15_000

export async function createSendMail(
  settings: NonNullable<TeamSettings["smtp"]>,
  log: (text: string, error: unknown) => void,
): Promise<SendMail> {
  const { createTransport } = await import("nodemailer")
  const timeouts = { connectionTimeout: patienceMs, greetingTimeout: patienceMs, socketTimeout: patienceMs }
  const transport = createTransport({ ...smtpOptions(settings), ...timeouts })
  return async (mail) => {
    try {
      await transport.sendMail({ from: settings.from, ...mail })
      return true
    } catch (error) {
      log("a mail was not sent", error)
      return false
    }
  }
}
