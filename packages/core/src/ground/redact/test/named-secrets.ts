/** A text, and the value in it that something around it calls a secret. The value stands between `‹` and `›`. */
const marked = `
password: ‹swordfish›
password=‹swordfish›
password = ‹swordfish›
  password: ‹hunter›
- password: ‹hunter2›
"password": "‹swordfish›",
'password' => '‹swordfish›',
password: "‹correct horse battery staple›"
password: ‹correct horse battery staple›
passwd=‹abc›
pwd = ‹opensesame›
pw: ‹geheim›
pass=‹letmein›
user_pass = "‹letmein›"
db.password=‹monkey›
spring.datasource.password=‹tiger›
spring.datasource.password = ‹tiger›
DB_PASSWORD=‹plainwords›
DB_PW=‹plainwords›
MYSQL_ROOT_PASSWORD: ‹toor›
export API_TOKEN=‹lowercaseonly›
export SECRET_KEY_BASE=‹shortone›
API_TOKEN=‹lowercaseonly› npm start
set API_TOKEN=‹lowercaseonly›
$env:API_TOKEN = "‹lowercaseonly›"
ENV API_TOKEN ‹lowercaseonly›
ENV API_TOKEN=‹lowercaseonly›
token: ‹abc123›
tok=‹abc123›
api_key: ‹a1b2›
apiKey = "‹justletters›"
apikey=‹justletters›
"apiKey": "‹justletters›"
X-Api-Key: ‹justletters›
client_secret: '‹blue elephant lamp›'
clientSecret: "‹sesame›",
secret = "‹sesame›"
jwt_secret: ‹sesame›
JWT_SECRET=‹my-super-secret›
encryption_key="‹sixteen letters!›"
passphrase: ‹open gate tonight›
private_key_passphrase = "‹brief›"
Password: ‹Swordfish›
password: ‹12345678›
pin: ‹4711›
credentials = "‹bob+builder›"
const password = "‹swordfish›"
let token: string = "‹swordfish›"
String password = "‹swordfish›";
private static final String TOKEN = "‹swordfish›";
config["password"] = "‹swordfish›"
os.environ["API_TOKEN"] = "‹swordfish›"
password := "‹swordfish›"
if (password === "‹swordfish›") return
connect(host="x", password="‹swordfish›")
connect(user=bob, password=‹swordfish›)
password=b"‹swordfish›"
:password => "‹swordfish›"
mysql --user root --password ‹hunter2› shop
mysql --password=‹swordfish› shop
deploy --token ‹swordfish› now
deploy --api-key ‹swordfish›
gh auth --with-token ‹swordfish›
tool -password ‹swordfish› -v
tool --password '‹two words›' -v
tool --access-token="‹swordfish›"
curl -u ‹alice:swordfish› https://x.example/
curl -sSu ‹alice:swordfish› https://x.example/
curl --user ‹alice:swordfish› https://x.example/
curl -X POST -u "‹alice:swordfish›" https://x.example/
curl https://x.example/ --proxy-user ‹alice:swordfish›
curl https://‹alice:swordfish›@x.example/
git clone https://‹alice:swordfish›@git.example/x.git
postgres://‹app:swordfish›@db.example/app
redis://‹:swordfish›@cache.example:6379
{"auths":{"registry.example":{"auth":"‹YWxpY2U6c3dvcmRmaXNo›"}}}
"auth": "‹YTpiYw==›"
_auth=‹YWxpY2U6c3dvcmRmaXNo›
//registry.example/:_password=‹c3dvcmRmaXNo›
//registry.example/:_authToken=‹swordfish›
"identitytoken": "‹swordfish›"
machine git.example login alice password ‹swordfish›
machine git.example⏎  login alice⏎  password ‹swordfish›
default login alice password ‹hunter›
<password>‹swordfish›</password>
<db:password>‹swordfish›</db:password>
<Password type="plain">‹swordfish›</Password>
<password><![CDATA[‹swordfish›]]></password>
<add key="ApiToken" value="‹swordfish›" />
<property name="password" value="‹swordfish›"/>
<string name="api_token">‹swordfish›</string>
<input type="hidden" name="csrf_token" value="‹swordfish›">
<user name="bob" password="‹swordfish›" />
- name: DB_PASSWORD⏎  value: ‹swordfish›
{ "name": "API_TOKEN", "value": "‹swordfish›" }
define('DB_PASSWORD', '‹swordfish›');
localStorage.setItem("token", "‹swordfish›")
headers.append("X-Auth-Token", "‹swordfish›")
CREATE USER bob IDENTIFIED BY '‹swordfish›';
ALTER ROLE bob WITH PASSWORD '‹swordfish›';
Server=db;User Id=sa;Password=‹swordfish›;Encrypt=yes
host=db user=app password=‹swordfish› dbname=shop
https://x.example/cb?access_token=‹swordfish›&state=1
https://x.example/cb?a=1&token=‹swordfish›#top
https://x.example/?api_key=‹swordfish›&q=1 for more
the password is ‹swordfish›
The password is ‹hunter2›.
my password is "‹swordfish›", keep it
The password for bob is ‹hunter2› and his mail is known.
the passphrase is ‹opensesame›.
The admin password was ‹hunter2›, it is gone
its token is ‹abc123def›.
log in as bob with password ‹hunter2› please
the new password: ‹swordfish›
Passwort: ‹geheim›
Authorization: Bearer ‹swordfish›
-H "Authorization: Bearer ‹abc123›"
Authorization: Basic ‹YTpi›
sshpass -p ‹swordfish› ssh bob@host
mysql -u root -p‹swordfish› shop
redis-cli -h cache -a ‹swordfish› ping
docker login -u bob -p ‹swordfish› registry.example
echo ‹swordfish› | docker login --password-stdin
echo "‹swordfish›" | sudo -S ls
unzip -P ‹swordfish› a.zip
openssl rsa -passin pass:‹swordfish› -in k.pem
PGPASSWORD=‹swordfish› psql
password_2 = "‹swordfish›"
password: ‹somersault77›
password: ‹fillmore1999›
PASSWORD=‹changeling77›
secret: ‹yourkshire9x›
**Password:** ‹hunterfox7›
**Password:** ‹swordfish›
- **Password**: \`‹hunterfox9›\`
- **API token**: ‹abc123def›
- **Password**: \`‹hunterfox9›\`⏎⏎| User | Mail |
*Password*: ‹hunterfox9›
_password_: ‹hunterfox9›
__Password__: ‹hunterfox9›
\`password\`: \`‹hunterfox9›\`
<b>password</b>: ‹hunterfox9›
<strong>Password:</strong> <code>‹hunterfox9›</code>
Password:\u00a0‹hunterfox9›
password：‹hunterfox9›
| Password | ‹hunterfox8› |
| Password | \`‹hunterfox8›\` |
| **DB password** | ‹hunterfox8› | of the staging server |
{"out":"password: ‹hunterfox6›"}
{"out":"log in:\\npassword: ‹hunterfox6›\\nthen go on"}
password=&quot;‹hunterfox5›&quot;
&lt;password&gt;‹hunterfox5›&lt;/password&gt;
password:⏎  ‹hunterfox9›
db:⏎  password:⏎    ‹hunterfox9›⏎  user: bob
password: |⏎  ‹swordfish›
password: >-⏎    ‹hunterfox9›⏎user: bob
password = """‹hunterfox9›"""
password = '''‹swordfish›'''
<key>password</key><string>‹hunterfox9›</string>
<key>ApiToken</key>⏎  <string>‹swordfish›</string>
{"value":"‹swordfish›","name":"DB_PASSWORD"}
- value: ‹swordfish›⏎  name: DB_PASSWORD
{ "Value": "‹hunterfox9›", "Key": "DB_PASSWORD" }
{"ParameterKey":"DbPassword","ParameterValue":"‹swordfish›"}
ParameterKey=DbPassword,ParameterValue=‹hunterfox9›
set -x PASSWORD ‹swordfish›
set -gx API_TOKEN ‹swordfish›
setenv PASSWORD ‹swordfish›
set -Ux API_TOKEN "‹swordfish›"
SSHPASS=‹hunter› ssh bob@host
export DBPASS=‹hunter›
npm config set //registry.example/:_authToken ‹abc123›
aws configure set aws_secret_access_key ‹abc123›
aws configure set --profile x aws_secret_access_key ‹abc123›
git config --global github.token ‹abc123›
curl -H 'Authorization: ‹Zq7xK2mV9tLp4Rw8›' https://x.example
Authorization: ‹Zq7xK2mV9tLp4Rw8›
psql "password=\${PW:-‹hunterfox›}"
- POSTGRES_PASSWORD=\${DB_PASSWORD:-‹swordfish›}
\${API_TOKEN:=‹hunterfox9›}
The password for the server is:⏎⏎\`\`\`⏎‹hunterfox9›⏎\`\`\`
**Password**:⏎\`\`\`text⏎‹hunterfox9›⏎\`\`\`
`

/** What is written as one line, with `⏎` for the end of one within it. */
export const namedSecrets: readonly { text: string; secret: string }[] = marked
  .trim()
  .split("\n")
  .map((line) => {
    const text = line.replaceAll("⏎", "\n")
    return { text: text.replace(/[‹›]/g, ""), secret: /‹([^›]*)›/.exec(text)?.[1] ?? "" }
  })
