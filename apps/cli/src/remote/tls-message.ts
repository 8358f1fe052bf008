/** Error codes of OpenSSL and Node for certificates that they reject. */
const refused = /^(UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|CERT_|ERR_TLS_|HOSTNAME_MISMATCH|INVALID_CA|ERR_SSL)/

/** Why the connection failed, if the certificate is the reason; else null. */
export function tlsMessage(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = "code" in cause ? String(cause.code) : ""
    if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return "its certificate is for another name"
    if (code === "CERT_HAS_EXPIRED") return "its certificate has expired"
    if (code.startsWith("ERR_SSL")) return "it does not speak TLS at this address; is it http:// instead?"
    if (refused.test(code))
      return `this machine does not know who made its certificate (${code}). If it is your team's own, name it: NODE_EXTRA_CA_CERTS=FILE docket …`
  }
  return null
}
