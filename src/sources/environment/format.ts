/** Writes an environment as a `.env` file. */
import { quote } from '../../core/shell.js';
import { type Environment, isSecret } from './secrets.js';

/**
 * An environment as a `.env` file that a shell can source. Secrets are named without their values: a user who has the secret
 * can fill it in.
 */
export function formatEnvironment(env: Environment): string {
  const lines = Object.entries(env).map(([name, value]) =>
    isSecret(name, value)
      ? `# ${name}=… needed; looks like a secret, so its value is not written here`
      : `${name}=${value === '' ? '' : quote(value)}`,
  );
  // The comment also tells `parseEnvironment` that values are quoted: `env` prints no comments.
  return ['# The variables that matter.', ...lines].map(line => `${line}\n`).join('');
}
