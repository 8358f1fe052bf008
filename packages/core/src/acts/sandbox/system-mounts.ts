import { lstatSync, readdirSync, readlinkSync } from "node:fs"
import path from "node:path"
import type { Mount } from "./mount.ts"

/** Where systems keep programs and what these need to run; everything else at the top of the file system is not there. */
const systemDirectories = "/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /nix /gnu /snap".split(" ")

/** In `/etc`, what a service that runs as root could read: passwords, private keys, credentials of networks. */
const systemSecrets = [
  "shadow shadow- gshadow gshadow- sudoers sudoers.d krb5.keytab security/opasswd ssl/private pki/tls/private",
  "ssh docker kubernetes rancher wireguard openvpn letsencrypt ppp ipsec.secrets ipsec.d NetworkManager/system-connections",
  "wpa_supplicant cloud credstore credstore.encrypted",
]
  .join(" ")
  .split(" ")

/** The system, to be read only: programs, libraries and their settings, without secrets. */
export function systemMounts(): Mount[] {
  return [...systemDirectories.flatMap(systemMount), ...optionalPrograms(), ...secretMasks()]
}

function systemMount(directory: string): Mount[] {
  const facts = lstatSync(directory, { throwIfNoEntry: false })
  if (facts === undefined) return []
  if (facts.isSymbolicLink()) return [{ kind: "link", path: directory, to: readlinkSync(directory) }]
  return [{ kind: "read", path: directory }]
}

/** What is installed in `/opt`, but for repositories that people keep there. */
function optionalPrograms(): Mount[] {
  return entriesOf("/opt")
    .map((name) => path.join("/opt", name))
    .filter((directory) => lstatSync(path.join(directory, ".git"), { throwIfNoEntry: false }) === undefined)
    .map((directory) => ({ kind: "read", path: directory }))
}

function secretMasks(): Mount[] {
  return systemSecrets.flatMap((name): Mount[] => {
    const file = path.join("/etc", name)
    const facts = lstatSync(file, { throwIfNoEntry: false })
    if (facts?.isDirectory()) return [{ kind: "empty-directory", path: file }]
    return facts?.isFile() ? [{ kind: "empty-file", path: file }] : []
  })
}

function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
