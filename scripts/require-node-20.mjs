// Runs on any Node with ES modules, to print a clear message when it is too old.
const major = Number(process.versions.node.split(".")[0])
if (major < 20) {
  process.stderr.write(`✗ Docket needs Node 20 or newer to set itself up; this is ${process.versions.node}.\n`)
  process.exit(1)
}
