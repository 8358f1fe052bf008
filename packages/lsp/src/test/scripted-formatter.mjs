// A formatter for tests: it makes the text upper-case, or does what its first argument says.
import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { text } from "node:stream/consumers"

const [mode = "upper", file = ""] = process.argv.slice(2)
const source = await text(process.stdin)

switch (mode) {
  case "upper":
    process.stdout.write(source.toUpperCase())
    break
  case "as-is":
    process.stdout.write(source)
    process.exitCode = 1
    break
  case "silent":
    break
  case "crashes":
    process.stderr.write("\u001b[31m[error] no such rule\u001b[39m\n")
    process.exitCode = 2
    break
  case "killed":
    process.kill(process.pid, "SIGKILL")
    break
  case "binary":
    process.stdout.write(Buffer.from([0x41, 0xff, 0xfe]))
    break
  case "endless": {
    const chunk = Buffer.alloc(1024 * 1024, 65)
    const more = () => {
      while (process.stdout.write(chunk));
      process.stdout.once("drain", more)
    }
    more()
    break
  }
  case "hangs":
    // What it starts must end with it.
    spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" })
    setInterval(() => {}, 1_000)
    break
  case "in-place":
    writeFileSync(file, source === "" ? "from the copy\n" : source)
    break
  default:
    throw new Error(`no mode ${mode}`)
}
