<?php
// Loaded before the program: collects the values that its expressions report, and writes them down when it ends.
final class CulpritValues
{
    const LONGEST = 60;
    public static array $seen = [];

    public static function literal(?array $known): ?string
    {
        if ($known === null) return null;
        [$value] = $known;
        if (is_string($value) && (strlen($value) > self::LONGEST || preg_match('/[^\x20-\x7e]/', $value))) return null;
        if (is_float($value) && !is_finite($value)) return null;
        return $value === null ? 'null' : var_export($value, true);
    }

    public static function write(): void
    {
        $values = [];
        foreach (self::$seen as $number => $known) $values[] = [$number, self::literal($known)];
        $path = getenv('CULPRIT_VALUES') . '/values-' . getmypid() . '-' . hrtime(true) . '.json';
        @file_put_contents($path, json_encode($values));
    }
}

function __culprit_value($number, $value)
{
    $seen = &CulpritValues::$seen;
    if (!array_key_exists($number, $seen)) $seen[$number] = $value === null || is_scalar($value) ? [$value] : null;
    elseif ($seen[$number] !== null && $seen[$number][0] !== $value) $seen[$number] = null;
    return $value;
}

if (getenv('CULPRIT_VALUES')) register_shutdown_function([CulpritValues::class, 'write']);
