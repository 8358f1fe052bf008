import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import path from "node:path"
import type { TlsFiles } from "../options.ts"

/** Whether certificates can be created here; otherwise tests that need one are skipped. */
export const canMakeCertificates = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/bin/openssl"].some(existsSync)

/**
 * Creates a self-signed certificate for the given names, or for a team's default name, and its key: `<name of the
 * pair>.crt` and `.key` in the directory.
 */
export function makeCertificate(directory: string, pair: string, ...hosts: string[]): TlsFiles {
  const [cert, key] = [path.join(directory, `${pair}.crt`), path.join(directory, `${pair}.key`)]
  const names = hosts.length === 0 ? ["docket.example.org"] : hosts
  const made = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
  const subject = ["-subj", `/CN=${pair}`, "-addext", `subjectAltName=${names.map((name) => `DNS:${name}`)}`]
  execFileSync("openssl", ["req", ...made, ...subject, "-keyout", key, "-out", cert], { stdio: "pipe" })
  return { cert, key }
}
