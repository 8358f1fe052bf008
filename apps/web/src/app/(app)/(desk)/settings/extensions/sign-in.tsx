"use client"

import { useTRPC } from "@docket/client/react"
import { visibleText } from "@docket/core/rule"
import type { BegunSignIn, ListedExtension, Project } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { useMe } from "../../../../../shell/me.tsx"
import entries from "../../../../../ui/entries.module.css"
import { BegunSignInView } from "./begun-sign-in.tsx"
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
        <BegunSignInView begun={begun} named={named} onOver={() => setBegun(null)} />
      )}
      {sign.error === null ? null : (
        <p className={styles.error} role="alert">
          {visibleText(sign.error.message)}
        </p>
      )}
    </section>
  )
}
