/**
 * Lets programs outside of a room reach a port of its loopback, by a socket file. Arguments: the socket file, the port.
 * The service listens on loopback only.
 */
import { connect, createServer } from "node:net"

const [socket = "", port = ""] = process.argv.slice(2)

createServer((outside) => {
  const inside = connect(Number(port), "127.0.0.1")
  outside.pipe(inside).pipe(outside)
  outside.on("error", () => inside.destroy())
  inside.on("error", () => outside.destroy())
  inside.on("close", () => outside.destroy())
}).listen(socket, () => console.log("ready"))
