import { createPrivateKey, X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"
import { createSecureContext } from "node:tls"
import { DocketError } from "@docket/core"
import type { TlsFiles } from "../options.ts"

/** The certificate and key of a TLS server. */
export interface TlsPair {
  cert: Buffer
  key: Buffer
}

/** Reads a certificate and its key, and checks that they belong together. @throws config_invalid with the reason */
export function readTlsPair({ cert, key }: TlsFiles): TlsPair {
  const pair = { cert: read(cert, "certificate"), key: read(key, "key") }
  const certificate = parse(cert, "certificate", () => new X509Certificate(pair.cert))
  const privateKey = parse(key, "key", () => createPrivateKey(pair.key))
  if (!certificate.checkPrivateKey(privateKey)) throw unfit(`the key ${key} is not that of the certificate ${cert}`)
  parse(cert, "certificate", () => createSecureContext(pair))
  return pair
}

/** A message about a certificate that is expired or not yet valid; null for a valid one. @param now epoch ms */
export function datesProblem({ cert }: TlsPair, now: number): string | null {
  const { validFrom, validTo } = new X509Certificate(cert)
  if (Date.parse(validTo) <= now) return `the certificate expired on ${validTo}: renew it`
  if (Date.parse(validFrom) > now) return `the certificate is valid only from ${validFrom}`
  return null
}

function read(file: string, what: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw unfit(`the ${what} ${file} cannot be read: ${reasonOf(cause)}`, cause)
  }
}

function parse<T>(file: string, what: string, make: () => T): T {
  try {
    return make()
  } catch (cause) {
    throw unfit(`the ${what} ${file} is not one in PEM that can be used: ${reasonOf(cause)}`, cause)
  }
}

function unfit(message: string, cause?: unknown): DocketError {
  return new DocketError("config_invalid", message, { cause })
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
