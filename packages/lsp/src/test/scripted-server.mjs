// A language server for tests: each line with "bad" is an error. Its first argument says how it behaves.
const [mode = "push"] = process.argv.slice(2)
const documents = new Map()
let pulls = 0

function send(message) {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message })
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}

function diagnosticsIn(text) {
  return text.split("\n").flatMap((line, at) => {
    const character = line.indexOf("bad")
    const range = { start: { line: at, character }, end: { line: at, character: character + 3 } }
    return character < 0 ? [] : [{ range, severity: 1, code: "B1", message: `${line.trim()} is wrong` }]
  })
}

function push(uri, { version, text }, diagnostics = diagnosticsIn(text)) {
  send({ method: "textDocument/publishDiagnostics", params: { uri, version, diagnostics } })
}

const malformed = [
  null,
  7,
  { message: 5, range: {} },
  { message: "no range", severity: 1 },
  { message: "x", range: { start: { line: "a", character: null } } },
  { message: { kind: "markdown", value: "marked up" }, severity: 1, range: { start: { line: -4, character: 0 } } },
]

function changed(uri, document) {
  if (mode === "push") push(uri, document)
  if (mode === "unversioned") push(uri, { ...document, version: undefined })
  if (mode === "old") push(uri, { ...document, version: document.version - 1 }, diagnosticsIn("bad old"))
  if (mode === "dies") process.exit(3)
  if (mode === "malformed") {
    send({ method: "textDocument/publishDiagnostics", params: { uri: 4, diagnostics: "none" } })
    push(uri, document, malformed)
  }
  if (mode === "garbage") process.stdout.write("Hello, this is no protocol.\r\n\r\n")
  if (mode === "huge") process.stdout.write(`Content-Length: ${100 * 1024 * 1024}\r\n\r\n${"x".repeat(1024)}`)
  if (mode === "flood") {
    const one = () => {
      for (let at = 0; at < 1_000; at++) send({ method: "window/logMessage", params: { type: 4, message: "again" } })
      setImmediate(one)
    }
    one()
  }
  if (mode === "many") {
    for (let at = 0; at < 2_000; at++) push(`file:///elsewhere/${at}.bad`, { version: 1, text: "bad" })
    push(uri, document)
  }
  if (mode === "empty-first") {
    if (document.version === 1) push(uri, document, [])
    setTimeout(() => push(uri, document), 50)
  }
}

function handle({ id, method, params }) {
  if (method === "initialize") {
    if (mode === "mute") return
    const capabilities = { textDocumentSync: 1, ...(mode === "pull" && { diagnosticProvider: {} }) }
    return send({ id, result: { capabilities } })
  }
  if (method === "initialized" && mode === "registers")
    return send({
      id: "r1",
      method: "client/registerCapability",
      params: { registrations: [{ id: "1", method: "textDocument/diagnostic" }] },
    })
  if (method === "textDocument/didOpen" || method === "textDocument/didChange") {
    const { uri, version, text = params.contentChanges?.[0]?.text } = params.textDocument
    const document = { version, text }
    documents.set(uri, document)
    return changed(uri, document)
  }
  if (method === "textDocument/diagnostic") {
    pulls += 1
    // Of LSP 3.17: ServerCancelled.
    if (pulls === 1) return send({ id, error: { code: -32802, message: "ask again" } })
    const { text } = documents.get(params.textDocument.uri)
    return send({ id, result: { kind: "full", items: diagnosticsIn(text) } })
  }
  if (method === "textDocument/definition") {
    const range = { start: { line: 0, character: 2 }, end: { line: 0, character: 3 } }
    return send({ id, result: [{ uri: params.textDocument.uri, range }, { uri: "file:///etc/passwd", range }, null] })
  }
  if (id !== undefined && method !== undefined) send({ id, result: null })
}

let input = Buffer.alloc(0)
process.stdin.on("data", (chunk) => {
  input = Buffer.concat([input, chunk])
  for (;;) {
    const end = input.indexOf("\r\n\r\n")
    if (end < 0) return
    const length = Number(/content-length: (\d+)/i.exec(input.subarray(0, end).toString())?.[1])
    if (input.length < end + 4 + length) return
    const body = input.subarray(end + 4, end + 4 + length).toString()
    input = input.subarray(end + 4 + length)
    handle(JSON.parse(body))
  }
})
process.stdin.on("end", () => process.exit(0))
