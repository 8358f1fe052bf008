"use client"

import { useTRPC } from "@docket/client/react"
import { visibleText } from "@docket/core/rule"
import type { BegunSignIn, ListedExtension, Project } from "@docket/core/schema"
import { Button, TextInput } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useMe } from "../../../../../shell/me.tsx"
import entries from "../../../../../ui/entries.module.css"
import styles from "./extensions.module.css"

interface SignInProps {
  extension: ListedExtension
  project: Project
}

/** Signs the user in to a server: a page to open, and a field for where the browser ended on another machine. */
export function SignIn({ extension, project }: SignInProps) {
  const trpc = useTRPC()
  const { can } = useMe()
  const [begun, setBegun] = useState<BegunSignIn | null>(null)
  const { ref, title } = extension
  const named = { projectID: project.id, kind: ref.kind, name: ref.name }
  // Where all work with one sign-in, only who manages the settings may give it.
  const begin = can("settings.manage") ? trpc.extension.signInForAll : trpc.extension.signIn
  const sign = useMutation(begin.mutationOptions({ onSuccess: setBegun }))
  const again = (method: "browser" | "device") => sign.mutate({ ...named, method })
  return (
    <section className={styles.signIn} aria-label={`Sign in to ${title}`}>
      {begun === null ? (
        <div className={entries.actions}>
          <Button variant="filled" disabled={sign.isPending} onClick={() => again("browser")}>
            Sign in
          </Button>
          <Button disabled={sign.isPending} onClick={() => again("device")}>
            With a code
          </Button>
        </div>
      ) : (
        <Begun begun={begun} named={named} onOver={() => setBegun(null)} />
      )}
      {sign.error === null ? null : (
        <p className={styles.error} role="alert">
          {visibleText(sign.error.message)}
        </p>
      )}
    </section>
  )
}

interface BegunProps {
  begun: BegunSignIn
  named: { projectID: string; kind: ListedExtension["ref"]["kind"]; name: string }
  onOver(): void
}

function Begun({ begun, named, onOver }: BegunProps) {
  const trpc = useTRPC()
  const client = useQueryClient()
  const [address, setAddress] = useState("")
  const input = { projectID: named.projectID }
  // The browser may come back to the service by itself.
  useQuery(trpc.extension.list.queryOptions(input, { refetchInterval: 1_000 }))
  const finish = useMutation(
    trpc.extension.finishSignIn.mutationOptions({
      onSuccess: () => client.invalidateQueries({ queryKey: trpc.extension.list.queryKey(input) }),
    }),
  )
  return (
    <>
      <p>
        Open this page and agree there{begun.code === null ? "" : ", with the code "}
        {begun.code === null ? "" : <strong className={styles.code}>{visibleText(begun.code)}</strong>}:
      </p>
      <a className={styles.address} href={begun.address} target="_blank" rel="noreferrer noopener">
        {visibleText(begun.address)}
      </a>
      {begun.isRedirected ? (
        <form
          className={styles.finish}
          onSubmit={(event) => {
            event.preventDefault()
            finish.mutate({ ...named, address })
          }}
        >
          <TextInput
            label="If the page then cannot be reached, paste its address"
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
          <Button type="submit" disabled={address.trim() === "" || finish.isPending}>
            Finish
          </Button>
        </form>
      ) : null}
      {finish.error === null ? null : (
        <p className={styles.error} role="alert">
          {visibleText(finish.error.message)}
        </p>
      )}
      <div className={entries.actions}>
        <Button variant="subtle" onClick={onOver}>
          Begin again
        </Button>
      </div>
    </>
  )
}
