import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"

export interface ReceivedMail {
  from: string
  to: string[]
  /** By lower-case name; several headers of one name are in one list. */
  headers: Map<string, string[]>
  body: string
  /** Whether it was received by TLS. */
  secure: boolean
  user: string | null
}

export interface MailServer {
  /** `smtp://127.0.0.1:…` */
  url: string
  /** The next unread mail, already received or not. */
  next(): Promise<ReceivedMail>
  /** Number of unread mails. */
  waiting(): number
  stop(): Promise<void>
}

/** A mail server that records the mails it receives. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const asked: ((mail: ReceivedMail) => void)[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      text(stream)
        .then((raw) => {
          const { mailFrom, rcptTo } = session.envelope
          const mail = {
            from: mailFrom ? mailFrom.address : "",
            to: rcptTo.map(({ address }) => address),
            ...parse(raw),
            secure: session.secure,
            user: session.user ?? null,
          }
          const ask = asked.shift()
          if (ask) ask(mail)
          else received.push(mail)
          done()
        })
        .catch(done)
    },
    ...options,
  })
  server.on("error", () => undefined)
  server.listen(0, "127.0.0.1")
  await once(server.server, "listening")
  // The address has this type because the server listens on a port, not on a pipe.
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    next: () => {
      const first = received.shift()
      return first ? Promise.resolve(first) : new Promise((resolve) => asked.push(resolve))
    },
    waiting: () => received.length,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Parses a mail with one part (RFC 5322 and 2045). */
function parse(raw: string): Pick<ReceivedMail, "headers" | "body"> {
  const end = raw.indexOf("\r\n\r\n")
  const headers = new Map<string, string[]>()
  for (const line of raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, " ")
    .split("\r\n")) {
    const [, name = "", value = ""] = /^([^:]+): ?(.*)$/.exec(line) ?? []
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), decodeWords(value)])
  }
  const body = raw.slice(end + 4)
  const coding = headers.get("content-transfer-encoding")?.[0]
  if (coding === "base64") return { headers, body: Buffer.from(body, "base64").toString() }
  return { headers, body: coding === "quoted-printable" ? unquote(body.replaceAll("=\r\n", "")) : body }
}

function decodeWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, coding: string, word: string) =>
      coding.toLowerCase() === "b" ? Buffer.from(word, "base64").toString() : unquote(word.replaceAll("_", " ")),
    )
}

function unquote(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, "latin1").toString()
}
