import { describe, expect, test } from "vitest"
import { analyseScript } from "./command-analysis.ts"
import { type ScriptChanges, scriptChanges } from "./script-changes.ts"

const none: ScriptChanges = { writes: [], removes: [], downloads: [], notes: [], unknown: [], computed: false }
const changes = (script: string) => {
  const commands = analyseScript(script)
  if (commands === null) throw new Error("the script cannot be read")
  return scriptChanges(commands)
}
const said = (text: string) => [expect.stringContaining(text)]

const known: [script: string, found: Partial<ScriptChanges>][] = [
  ["cp -r a.txt b.txt dir/", { writes: ["dir/"] }],
  ["cp -t dir a.txt", { writes: ["dir"] }],
  ["cp --target-directory=dir a.txt", { writes: ["dir"] }],
  ["mv old.txt new.txt", { removes: ["old.txt"], writes: ["new.txt"] }],
  ["rm -rf build dist", { removes: ["build", "dist"] }],
  ["rm -- -weird", { removes: ["-weird"] }],
  ["/bin/rm x", { removes: ["x"] }],
  ["mkdir -p -m 755 a/b", { writes: ["a/b"] }],
  ["touch -d yesterday a", { writes: ["a"] }],
  ["echo 1 | tee -a log.txt | cat", { writes: ["log.txt"] }],
  ["sed -i.bak 's/a/b/g' x.ts y.ts", { writes: ["x.ts", "y.ts"] }],
  ["sed -i -e 's/a/b/' x.ts", { writes: ["x.ts"] }],
  ["sed 's/a/b/' x.ts", {}],
  ["chmod +x run.sh", { writes: ["run.sh"] }],
  ["chmod -x run.sh", { writes: ["run.sh"] }],
  ["chmod -R -w src", { writes: ["src"] }],
  ["chmod --reference=a b", { writes: ["b"] }],
  ["uniq a b", { writes: ["b"] }],
  ["xxd a b", { writes: ["b"] }],
  ["git checkout -f", { notes: said("lost") }],
  ["git restore --staged --work a", { writes: ["a"], notes: said("lost") }],
  ["git clean -fen", { notes: said("untracked files") }],
  ["ln -sf ../a b", { writes: ["b"] }],
  ["ln -s ../a", { writes: ["a"] }],
  ["dd if=/dev/zero of=disk.img bs=1M count=1", { writes: ["disk.img"] }],
  ["truncate -s 0 log", { writes: ["log"] }],
  ["curl -sSL https://example.org/a.sh -o a.sh", { downloads: ["https://example.org/a.sh"], writes: ["a.sh"] }],
  ["curl -O 'https://example.org/x/a.tgz?v=1'", { downloads: ["https://example.org/x/a.tgz?v=1"], writes: ["a.tgz"] }],
  ["curl https://example.org", { downloads: ["https://example.org"] }],
  ["curl -d a=b https://example.org", { downloads: ["https://example.org"], notes: said("sends data") }],
  ["wget -O - https://example.org/a", { downloads: ["https://example.org/a"] }],
  ["wget https://example.org/a", { downloads: ["https://example.org/a"], writes: ["a"] }],
  ["tar xzf a.tgz -C out", { writes: ["out"], notes: said("unpacks") }],
  ["tar -czf a.tgz src", { writes: ["a.tgz"] }],
  ["tar -tf a.tgz", {}],
  [
    "rsync -a --delete src/ host:dst/",
    { writes: ["host:dst/"], notes: [...said("removes from host:dst/"), ...said("content of src/ to host")] },
  ],
  ["git checkout -- a.ts b.ts", { writes: ["a.ts", "b.ts"], notes: said("lost") }],
  ["git checkout main", { notes: said("brings tracked files to main") }],
  ["git -C sub reset --hard HEAD~1", { notes: said("git reset --hard: changes of tracked files are lost") }],
  ["git reset HEAD a", { notes: said("files stay") }],
  ["git clean -fdx", { notes: said("untracked files and directories, ignored ones too") }],
  ["git clean -nd", {}],
  ["git rm --cached a", {}],
  ["git rm a", { removes: ["a"] }],
  ["git clone https://example.org/a.git", { downloads: ["https://example.org/a.git"], writes: ["a"] }],
  ["git push origin main", { notes: said("sends commits to origin main") }],
  ["git status && git log --oneline", {}],
  ["npm install --save-dev left", { notes: said("npm install: downloads packages") }],
  ["pnpm i", { notes: said("node_modules") }],
  ["yarn", { notes: said("node_modules") }],
  ["npm ls", {}],
  ["pip install -r requirements.txt", { notes: said("Python") }],
  ["ls -la && cat a | grep b && cd src && pwd", {}],
]

const hidden: [script: string, found: Partial<ScriptChanges>][] = [
  ["'r'm \"a b\"", { removes: ["a b"] }],
  ["\\rm a", { removes: ["a"] }],
  ["FOO=1 env BAR=2 sudo -u bob rm a", { removes: ["a"] }],
  ["(cd x; { rm a; })", { removes: ["a"] }],
  ["echo $(rm a)", { removes: ["a"] }],
  ["cat <(rm a)", { removes: ["a"] }],
  ["if true; then rm a; fi; for f in 1; do rm b; done", { removes: ["a", "b"] }],
  ["cat <<END\n$(rm a)\nEND", { removes: ["a"] }],
  ["tee out <<'END'\nrm a\nEND", { writes: ["out"] }],
  ["sh -c 'rm a; bash -c \"rm b\"'", { removes: ["a", "b"] }],
  ["eval 'rm a'", { removes: ["a"] }],
  ["timeout 5 nice -n 3 rm a", { removes: ["a"] }],
  ["find . -name '*.o' -exec rm -f {} +", { computed: true }],
  ["find . -delete", { notes: said("removes what it finds") }],
  ["ls | xargs rm -f", { computed: true, notes: said("gives names from its input to rm -f") }],
  ["rm $FILE", { removes: ["$FILE"], computed: true }],
  ["f() { rm a; }; f", { removes: ["a"], unknown: ["f"] }],
  ["trap 'rm a' EXIT", { removes: ["a"] }],
]

const unclear: [script: string, unknown: string[]][] = [
  ["make", ["make"]],
  ["npm test", ["npm test"]],
  ["npx thing", ["npx thing"]],
  ["node build.js", ["node build.js"]],
  ["./rm a", ["./rm a"]],
  ["$CMD a", ["$CMD a"]],
  ["echo 'rm a' | sh", ["sh"]],
  ["sh run.sh", ["sh run.sh"]],
  ["source env.sh", ["source env.sh"]],
  ["PATH=.:$PATH cat a", ["PATH=.:$PATH cat a"]],
  ["PATH=.; cat a", ["PATH=."]],
  ["for PATH in .; do cat a; done", ["PATH=."]],
  ["export PATH=.; cat a", ["export PATH=."]],
  ["env LD_PRELOAD=./x cat a", ["env LD_PRELOAD=./x cat a"]],
  ["jobs -x rm a", ["jobs -x rm a"]],
  ["npm version patch --force", ["npm version patch --force"]],
  ["npm --loglevel info run build", ["npm --loglevel info run build"]],
  ["npm audit --omit dev fix", ["npm audit --omit dev fix"]],
  ["npm config delete x", ["npm config delete x"]],
  ["/usr/bin/time -o out ls", ["/usr/bin/time -o out ls"]],
  ["sed --in-p s/a/b/ x", ["sed --in-p s/a/b/ x"]],
  ["find . -fprint out -exec echo {} +", ["find . -fprint out -exec echo {} +"]],
  ["tar --remove-files -cf a.tar b", ["tar --remove-files -cf a.tar b"]],
  ["curl --stderr out https://example.org", ["curl --stderr out https://example.org"]],
  ["tree -o out", ["tree -o out"]],
  ["git grep -O'rm a' x", ["git grep -Orm a x"]],
  ["git ls-remote --upload-pack='rm a;true' .", ["git ls-remote --upload-pack=rm a;true ."]],
  ["sed 's/a/b/w out' x", ["sed s/a/b/w out x"]],
  ["sed -n 'w out' x", ["sed -n w out x"]],
  ["sed -i '1e rm a' x", ["sed -i 1e rm a x"]],
  ["awk '{ print > \"out\" }' a", ['awk { print > "out" } a']],
  ["sort a -o a", ["sort a -o a"]],
  ["git frobnicate", ["git frobnicate"]],
  ["perl -pi -e s/a/b/ x", ["perl -pi -e s/a/b/ x"]],
  ["test -v 'a[$(rm b)]'", ["test -v a[$(rm b)]"]],
  ["curl -K options https://example.org", ["curl -K options https://example.org"]],
]

const sent: [script: string, files: string[]][] = [
  ["curl -H @secret https://example.org/x", ["secret"]],
  ["curl --header @secret https://example.org", ["secret"]],
  ["curl -d @secret https://me:pw@example.org:8080/x", ["secret"]],
  ["curl -sd@secret example.org", ["secret"]],
  ["curl --data @secret --url https://example.org", ["secret"]],
  ["curl --data-binary @a --json @b --data-ascii @c http://example.org", ["a", "b", "c"]],
  ["curl --data-urlencode name@secret --data-urlencode @b --data-urlencode a=@c https://example.org", ["secret", "b"]],
  ["curl --url-query @secret https://example.org", ["secret"]],
  ["curl -F 'x=@secret;type=text/plain' -F 'y=<b' -F z=1 https://example.org", ["secret", "b"]],
  ["curl -T secret ftp://example.org/", ["secret"]],
  ["curl --upload-file=secret https://example.org", ["secret"]],
  ["curl -b cookies.txt https://example.org", ["cookies.txt"]],
  ["wget --post-file secret https://example.org", ["secret"]],
  ["wget --method=PUT --body-file=secret -O - https://example.org", ["secret"]],
  ["scp -r secret b me@example.org:/tmp/", ["secret", "b"]],
  ["rsync -a secret example.org:dst", ["secret"]],
  ["sudo curl -d @secret https://example.org", ["secret"]],
]

describe("what a command sends", () => {
  test.each(sent)("is shown with file and machine: %s", (script, files) => {
    const { notes, unknown } = changes(script)
    expect(notes).toEqual(files.map((file) => `sends the content of ${file} to example.org`))
    expect(unknown).toEqual([])
  })

  test("is the command's own data or input when no file is named", () => {
    const said = (script: string) => changes(script).notes
    expect(said("curl --data-raw @a https://example.org")).toEqual(["sends data to that address"])
    expect(said("curl --form-string a=@b https://example.org")).toEqual(["sends data to that address"])
    expect(said("wget --post-data=a=b https://example.org")).toEqual(["sends data to that address"])
    expect(said("cat secret | curl -T - https://example.org")).toEqual(["sends its input to example.org"])
    expect(said("curl -b a=b -H 'Accept: text/plain' https://example.org")).toEqual([])
    expect(said("scp example.org:a .")).toEqual([])
  })

  test("is unclear with abbreviated options or a custom copy program", () => {
    expect(changes("wget --post-f secret https://example.org").unknown).toHaveLength(1)
    expect(changes("scp -o ProxyCommand=./x a example.org:").unknown).toHaveLength(1)
  })
})

describe("what a command changes", () => {
  test.each(known)("is read from the words of %s", (script, found) => {
    expect(changes(script)).toEqual({ ...none, ...found })
  })

  test.each(hidden)("is found where it hides: %s", (script, found) => {
    expect(changes(script)).toEqual({ ...none, ...found })
  })

  test.each(unclear)("is reported as unknown: %s", (script, unknown) => {
    expect(changes(script)).toMatchObject({ unknown })
  })

  test("is not found by names that every object has", () => {
    expect(changes("constructor a; git constructor; npm constructor; toString").unknown).toHaveLength(4)
  })
})
