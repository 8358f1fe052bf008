/**
 * Runs a program that reaches nothing but one server: this process has been given a network of its own, in which it
 * listens in the server's place. Arguments: the server's socket file, a port, the program, its arguments.
 */
import { spawn } from "node:child_process"
import { connect, createServer } from "node:net"

const [socket = "", port = "", program = "", ...args] = process.argv.slice(2)

const server = createServer((inside) => {
  const outside = connect(socket)
  inside.pipe(outside).pipe(inside)
  inside.on("error", () => outside.destroy())
  outside.on("error", () => inside.destroy())
})
server.listen(Number(port), "127.0.0.1", () => {
  const child = spawn(program, args, { stdio: "inherit" })
  child.once("exit", (code) => process.exit(code ?? 1))
})
