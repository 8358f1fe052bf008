/** Names that call a value a secret, as programs write them. */
const names = [
  "password",
  "token",
  "secret",
  "apiKey",
  "api_key",
  "accessToken",
  "clientSecret",
  "passphrase",
  "pwd",
  "credentials",
]

/** Lines about such a name in which no value stands. `N` is the name. */
const templates = `
N: string
N: string | null
N?: string,
readonly N: string;
N: z.string().min(8)
N: z.string().optional(),
"N": { "type": "string" },
N String
N: Optional[str] = None
const N = getN()
const N = await readN(path)
const { N } = options
let N = ""
N = process.env.N
this.N = N
user.N = input.N
if (!N) throw new Error("no N was given")
return N === other
N: options.N,
N: \${N}
N = "\${N}"
N=$N
N: <N>
--N <value>
Set N to what the administrator gave you.
The N is required.
The N is not stored anywhere.
The N must be kept safe and is never logged.
N: see the manual
N: null
N: true,
N=""
N: ********
<N></N>
<N>{value}</N>
expect(N).toBe(other)
`

const own = `
type Password = string
interface Credentials { user: string; password: string }
export type Token = { kind: TokenKind; text: string }
password: PasswordHash
password VARCHAR(255) NOT NULL
passwordHash String @map("password_hash")
token_count INTEGER DEFAULT 0
tokens: 12345
max_tokens=8192
tokens: { input: 10, output: 20 }
token = tokens[index]
token = next()
token = lexer.next();
const token = tokens.shift();
while ((token = next()) !== null) {
for (const token of tokens) total += token.length
token := scanner.Token()
let token = self.next_token()?;
token => token.id
(token) => token.kind === "word"
case Token.Comma:
unexpected token: comma
Unexpected token 'export'
SyntaxError: Unexpected token < in JSON at position 0
tokenizer = new Tokenizer(text)
tokenizer: cl100k
secretName: my-app-tls
secretRef: database
secretKeyRef:
  key: password
passwordField = form.password
passwordLabel: "Your password"
password_file: /run/secrets/db
password-file: secrets.txt
token_type: bearer
token_url: https://login.example.com/oauth/token
tokenEndpoint: "https://login.example.com/oauth/token"
grant_type=refresh_token
response_type: "id_token token"
forgot-password: /reset
"password.required": "The password is required"
"password": "Password",
"password": "Enter your password",
password: "Passwords do not match.",
password: "Your new password must have eight characters.",
placeholder="Password"
<input type="password" name="password" autocomplete="current-password">
<label for="password">Password</label>
<Password value={value} onChange={change} />
<PasswordField label="Password" />
<input name="password" value={password}>
type: "password"
autocomplete: "new-password"
export const password = pgTable("password", {
password: text("password").notNull(),
password = models.CharField(max_length=128)
password = Column(String(255), nullable=False)
t.string :password_digest
validates :password, presence: true
has_secure_password
password: Type.String({ minLength: 8 })
password: Joi.string().required()
password: yup.string().min(8, "too short")
@Column() password: string
@IsString() password!: string
def login(user: str, password: str) -> Token:
def check(password): return hash(password) == stored
func Login(user string, password string) error {
fn login(user: &str, password: &str) -> Result<Token, Error> {
public void setPassword(String password) {
this.password = password;
self.password = password
self.token = token
user.password = hashed
user.password = await hash(password)
params.token = token.value
req.body.password
const hash = await bcrypt.hash(password, 10)
const ok = await verify(password, user.passwordHash)
if (password.length < 8) return "too short"
if password == confirmation {
password !== confirmation
password === ""
password ? "set" : "not set"
password && password.length > 0
password || ""
token ?? null
token: token ?? undefined,
token: token || null
token: await getToken(),
token: () => readToken()
token: request.headers.get("authorization")
token: req.headers["x-token"]
token = os.environ["TOKEN"]
token = os.getenv("TOKEN")
token = ENV.fetch("TOKEN")
token: process.env.GITHUB_TOKEN
token: \${{ secrets.GITHUB_TOKEN }}
GITHUB_TOKEN: \${{ secrets.GITHUB_TOKEN }}
GH_TOKEN: \${{ github.token }}
password: {{ .Values.password }}
password: !vault |
password: !Ref DbPassword
password = var.db_password
password = data.vault.password
token = local.token
password: ENC[AES256]
PASSWORD=\${PASSWORD:-}
PASSWORD="$1"
PASSWORD=$(pass show db)
PASSWORD=\`cat file\`
TOKEN=$(gh auth token)
export TOKEN="$TOKEN"
API_TOKEN_NAME=staging
OTHER_TOKEN=production
TOKEN_LIFETIME=3600
PASSWORD_MIN_LENGTH=12
SECRET_FILE=/run/secrets/key
PASSWORD_FILE=/run/secrets/password
TOKEN_PATH=/var/run/token
PWD=/srv/work/project
OLDPWD=/srv/app
pwd: /srv/app
PASSWORD=changeme
PASSWORD=password
TOKEN=your-token-here
API_KEY=<your key>
API_KEY=YOUR_API_KEY
API_KEY=xxxxxxxx
apiKey: "YOUR_API_KEY"
apiKey: "your-api-key"
apiKey: "..."
apiKey: "{env:API_KEY}"
apiKey: "{file:~/.key}"
api_key: optional
api_key: str
api_key: string;
api_key = config.get("api_key")
api_key = settings.API_KEY
client = Client(api_key=api_key)
client = Client(token=None)
new Client({ apiKey, baseURL })
new Client({ token: tokens.access })
login({ user, password })
login(user, password)
connect(user=user, password=password)
connect(password=args.password)
mysql -u root -p shop
mysql --password
--password-stdin
--password-file PATH
--password PASSWORD
--password <password>
--password string   Password of the account
-p, --password string   Password
--token TOKEN
--token <token>
--token is read from the environment
Use --token or --password to sign in.
pass --token to sign in
with --password you are asked
curl -u $USER:$PASSWORD https://x.example
curl -u "$USER" https://x.example
curl -H "Authorization: Bearer $TOKEN" https://x.example
curl -H "Authorization: Bearer <token>" https://x.example
curl -H 'Authorization: Bearer YOUR_TOKEN' https://x.example
docker run -u 1000:1000 image
docker run -p 8080:80 image
ssh -p 2222 host
mkdir -p a/b
sudo -u postgres psql
sshpass -p $PASSWORD ssh host
redis-cli -a "$PASSWORD" ping
echo "$PASSWORD" | docker login --password-stdin
docker login -u bob registry.example
Authorization: Bearer
Authorization: Bearer <token>
Authorization: Bearer token
Authorization: Bearer \${token}
authorization: \`Bearer \${token}\`
"Authorization": "Bearer " + token
"auth": "basic"
"auth": true,
auth: required
auth: { user, pass }
auth: oauth2
machine example.org login bob
the password is required
the password is wrong
the password is too short
the password is hashed with bcrypt
the password is stored in the keychain
the password is optional
the password is empty
the password is checked by the server
the password is the same as before
the password is never shown
the password was changed
the password was rejected
the password has to be typed twice
The password is mandatory.
The password is case-sensitive.
the token is expired
the token is a JSON web token
the token is valid for an hour
the token is opaque
the token was revoked
the token is read from the file
the token is sent with each request
the secret is out
the secret is not committed
the secret is safe with us
The secret of good bread is patience.
Passwords are stored as hashes.
Enter the password:
Password:
Password again:
Password (leave empty to keep it):
Password: required
Password: optional
Secret: yes
the password: see below
the token: what a client sends
note on token: it ends after an hour
a token, a password and a key
password or token
user name and password
password, twice
password for the database
Wrong password.
Invalid token.
Missing token
Token expired.
No password was given.
Choose a password with at least 12 characters.
Who forgot the password gets a mail.
How to rotate a token
rotate the secret once a year
pass the token as the first argument
pass: 12, fail: 3
pass=12 fail=0
PASS src/app.test.ts
12 passing
tests pass
pin: 13
pin the version
pw: pw
keys: 12
key: "name"
key: value
key = "id"
primary_key: true
foreign_key: "user_id"
"key": "Enter"
sort_key: created
cache-key: deps
public_key: ssh-ed25519
storageKey = "layout"
keyPath: "id"
keyboard: qwerty
monkey: patched
turkey: dinner
compass: north
bypass: never
passenger: 3
passage: long
surpass: yes
tokenize: true
secretary: Anna
credential: true
credentials: "include"
credentials: "same-origin"
credentials: omit
fetch(url, { credentials: "include" })
Access-Control-Allow-Credentials: true
cookie: accepted
session: open
csrf: enabled
jwt: true
jwt: { algorithm: "HS256" }
otp: false
otp: { digits: 6, period: 30 }
"token": { "type": "string", "minLength": 1 }
"token": null
"token": ""
"token": "string"
"token": "<token>"
"token": "token"
"token": "access_token",
"secret": "client_secret"
"secret": false
secrets: inherit
secrets: [db, mail]
secret: { name: db }
secret = Secret.new
secret: Buffer.alloc(32)
secret = crypto.randomBytes(32).toString("hex")
secret = secrets.token_hex(32)
secret := make([]byte, 32)
const secret = newSecret()
const secret = createHash("sha256")
const token = crypto.randomUUID()
const token = randomBytes(16).toString("hex")
const token = useToken()
const token = localStorage.getItem("token")
const token = cookies.get("token")?.value
const token = header.split(" ")[1]
const token = header?.slice(7)
const token = match[1]
const token = request.token
const token = props.token!
const [token, setToken] = useState("")
setToken(next)
setPassword(event.target.value)
localStorage.setItem("token", token)
localStorage.removeItem("token")
headers.set("x-token", token)
form.append("password", password)
url.searchParams.set("token", token)
app.get("/token", readToken)
router.post("/password", changePassword)
"POST /change-password": "account",
path: "/reset-password"
href="/forgot-password"
import { token } from "./token.ts"
import password from "./password"
export { password, token }
export default token
delete user.password
omit(user, ["password", "token"])
pick(user, ["id", "token"])
const fields = ["password", "token", "secret"]
enum Secret { Password, Token }
switch (token) {
case "token":
token.kind
token[0]
token!
#token: string
private token: string
private readonly token: Token
protected secret = newSecret()
static password = true
val password: CharArray
var token: String?
token: &'a str
token: Vec<u8>
token: impl Into<String>
Password string \`json:"password"\`
password = request.form["password"]
password = getpass()
password = getpass.getpass("Password: ")
password = input("Password: ")
password = prompt("Password")
read -s -p "Password: " password
read -r TOKEN
unset TOKEN
echo "no token"
test -n "$TOKEN"
[ -z "$TOKEN" ] && exit 1
if [ -z "$PASSWORD" ]; then
grep -r password src
git grep token
git log --grep=token
npm token list
npm token create
gh secret set TOKEN
vault read secret/data
kubectl get secret
kubectl create secret generic db
aws secretsmanager list-secrets
https://example.com/oauth/token
https://example.com/?token_type=bearer
https://example.com/docs/password#reset
https://example.com/tokens?page=2
postgres://localhost/app
postgres://app@db.example/app
postgres://user:password@host/name
postgres://\${USER}:\${PASSWORD}@host/name
redis://localhost:6379
http://localhost:3000
Server=db;Database=app;Integrated Security=true
-- passwords are hashed
// the token is read once
/* password: string */
# password: string
* token: what the client sends
- token: the token of the client
| password | string | required |
| token | The token of the session. |
## Password
### token
- [ ] change the password
- password (string): of the account
- token (required)
@param password of the account
@param {string} token
@param token - what the client sent
:param password: of the account
:type token: str
Args: token (str): what the client sent
version: 1.2.3
password: 1.2.3
token: v2
secret: v1.0.0
token: 512
token: 4096,
tok: 53.2
tok/s: 53
tokens/s: 53
secret: 0
token: 0
token: 1
token: 60s
token: 1h
tokenTTL: 3600
password: -1
password: []
password: {}
token: []
token: {},
token: [],
token: new Token()
token: function () {
token: async () => {
token: typeof value
Token: Token
Password: Password
class Token:
class Password(Base):
struct Token {
trait Secret {
object Token
module Token
namespace Token
package token
jwt: HS256
algorithm of the token: RS256
token: IDENT
token: EOF
--color-token: blue
--color-token: var(--blue-500)
"token": "blue.500"
token: "color.primary"
two-pass: linear
one-pass: fast
multi-pass: slow
account key: primary
account key: secondary
- **Password**: required
- **Token**: string
- **token** (string): of the account
- **Token:** the token of the session
**Password:** at least twelve characters
_token_: see below
\`token\`: \`string\`
\`password\`: what the person typed
<b>password</b>: required
<code>token</code>: string
| Token | Meaning |
| password | varchar(255) | no |
| \`token\` | \`string\` | yes |
| Password | ******** |
| Secret | yes |
{"message":"password: required"}
{"type":"object","token":{"type":"string"}}
{"name":"token","value":""}
{"value":"string","name":"token"}
<input value="" name="password">
<key>password</key><string></string>
<key>password</key><string>$(PASSWORD)</string>
password: |
password: >-
password:
  type: string
  minLength: 8
token:
  - one
  - two
secret:
    name: db
token:
  isOpen ? first : second,
password = """Reads the password of the account."""
token = """
set -x PASSWORD (cat file)
set -x TOKEN $TOKEN
set -e TOKEN
setenv TOKEN
npm config set //registry.example/:_authToken=$TOKEN
npm config set //registry.example/:_authToken \${TOKEN}
aws configure set aws_secret_access_key $KEY
git config --get github.token
Authorization: none
Authorization: required
authorization: token.value
authorization: headers.authorization
headers: { Authorization: value }
PASSWORD=\${PASSWORD:-changeme}
PASSWORD=\${PASSWORD:-$OTHER}
TOKEN=\${1:-}
\${TOKEN:?is not set}
\${DB_PASSWORD:-postgres}
BYPASS=never
COMPASS=north
sshpass -e ssh host
`

/** What is written every day about secrets, and holds none. */
export const harmlessLines: readonly string[] = [
  ...own.trim().split("\n"),
  ...names
    .flatMap((name) =>
      templates
        .trim()
        .split("\n")
        .map((line) => line.replaceAll("N", name)),
    )
    .filter((_, index) => index % 2 === 0),
]
