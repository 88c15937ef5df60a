/** Recognises and masks secrets. */
import { createHmac } from 'node:crypto';

/** The variables of a process, by name. */
export type Environment = Readonly<Record<string, string>>;

/** Parts of names that mark something private; a part is bounded by `_`, `-`, a change of case, or the name's end. */
const privateParts =
  /(?:^|[_.-])(?:API_?KEY|KEY|TOKEN|JWT|SECRETS?|PASS|PASSWD|PASSWORDS?|PASSPHRASE|PWD|PW|PIN|CREDENTIALS?|CREDS?|AUTH|AUTHORIZATION|COOKIES?|SESSION|SESSIONID|SID|PRIVATE|SIGNATURE|SALT|DSN|OTP)(?=$|[_.\d-])/i;
const privateWords =
  /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|APIKEY|PRIVATEKEY|ACCESSKEY|CONNECTIONSTRING|AUTHORI[SZ]ATION/i;
/** Names that match by accident and are known to be harmless. */
const harmless =
  /^(PWD|OLDPWD|SSH_AUTH_SOCK|XDG_SESSION_(ID|TYPE|CLASS|DESKTOP)|DESKTOP_SESSION|SESSION_MANAGER|GPG_KEY|TOKENIZERS_PARALLELISM|XAUTHORITY)$/;

const privateValues: readonly RegExp[] = [
  /^eyJ[\w-]{5,}\.[\w-]+\.[\w-]*$/, // JSON Web Token (RFC 7519)
  /\b(AKIA|ASIA)[A-Z0-9]{16}\b/, // AWS access key id
  /\b(gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|sk-[\w-]{16,}|sk_live_\w{10,}|npm_[A-Za-z0-9]{30,})/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /^[a-z][a-z0-9+.-]*:\/\/[^\s/@:]*:[^\s/@]+@/i, // a URL that carries a password
  /^(Bearer|Basic|Token|Digest) +\S+$/i,
];

/** Whether a variable, header or field looks like something that must not be shown, by its name or by its value. */
export const isSecret = (name: string, value = ''): boolean =>
  (!harmless.test(name) && (privateParts.test(spaced(name)) || privateWords.test(name))) ||
  privateValues.some(pattern => pattern.test(value));

/** apiKey → api_Key, so that parts of camel case are seen. */
const spaced = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2');

const mask = '••••••';

/** The value as it may be shown. */
export const masked = (name: string, value: string): string => (value !== '' && isSecret(name, value) ? mask : value);

/** An environment as it may be shown or journalled. */
export const maskedAll = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, masked(name, value)]));

/**
 * Removes secrets from a text that a program printed: a secret value of the environment is private wherever it occurs.
 * Values shorter than four characters would hide half the text and are left alone.
 */
export function redactor(...envs: readonly Environment[]): (text: string) => string {
  const values = secretsIn(envs);
  return text => values.reduce((result, value) => result.replaceAll(value, mask), text);
}

/** The same for what a program wrote, whatever its encoding. */
export function redactedBytes(...envs: readonly Environment[]): (output: Uint8Array) => Uint8Array {
  const raw = (text: string) => Buffer.from(text).toString('latin1');
  const values = secretsIn(envs).map(raw);
  const hidden = raw(mask);
  return output => {
    const text = Buffer.from(output.buffer, output.byteOffset, output.length).toString('latin1');
    if (!values.some(value => text.includes(value))) return output;
    return Buffer.from(
      values.reduce((result, value) => result.replaceAll(value, hidden), text),
      'latin1',
    );
  };
}

/** Whole values and, of a value in lines (a private key), each longer line; the longest first. */
function secretsIn(envs: readonly Environment[]): readonly string[] {
  const values = envs
    .flatMap(env => Object.entries(env))
    .filter(([name, value]) => isSecret(name, value))
    .flatMap(([, value]) => [value, ...value.split(/\r?\n/).filter(line => line.length >= 16)]);
  return [...new Set(values)].filter(value => value.length >= 4).sort((a, b) => b.length - a.length);
}

/**
 * Identifies an environment, with secrets only as salted hashes, so that a reader of the journal can't test guesses. The
 * salt belongs to the run and is not in the journal.
 */
export function identityOf(env: Environment, salt: string): string {
  const whole = createHmac('sha256', salt);
  for (const name of Object.keys(env).sort()) whole.update(`${name.length}:${name}=${env[name]!.length}:${env[name]}`);
  return whole.digest('hex');
}
