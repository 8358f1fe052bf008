import { createRunningCommands } from "../running-commands.ts"
import { startProgram } from "../start-program.ts"

/** Stands for a service that runs a program outside a sandbox. Ends by itself when its input does. */
const [directory = "", script = ""] = process.argv.slice(2)
const commands = createRunningCommands(directory)
const program = await startProgram(
  { commands, clock: Date.now },
  {
    owner: "test",
    file: "/bin/sh",
    args: ["-c", script],
    cwd: "/",
    env: { PATH: process.env.PATH ?? "" },
  },
)
program.stdout.on("data", (data: Buffer) => process.stdout.write(data))
process.stdin.resume().once("end", async () => {
  await program.end()
  commands.close()
  process.exit()
})
