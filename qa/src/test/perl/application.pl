#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
#
# An application that is instrumented with PCP::MMV: application.pl FILE SHAPE
#
# Speaks as application.c does, but leaves its file behind when it stops: mmv_stats_stop of PCP::MMV
# hands its two arguments to the C function in the wrong order, which unmaps the page of the name
# (a crash, if the name is the first thing on a page) and does not find the file.

use strict;
use warnings;
use PCP::MMV;

my ($file, $shape) = @ARGV;
my $queues = 3;
my $counts = mmv_units(0, 0, 1, 0, 0, MMV_COUNT_ONE);
my $none = mmv_units(0, 0, 0, 0, 0, 0);
my @indoms = ([$queues, [0, 'orders', 4, 'invoices'], 'Queues', 'The queues of the application.']);
my @plain = (
    ['requests', 1, MMV_TYPE_U64, MMV_INDOM_NULL, $counts, MMV_SEM_COUNTER, 'requests taken', 'All that came.'],
    ['queue.depth', 2, MMV_TYPE_I32, $queues, $none, MMV_SEM_INSTANT, 'waiting', ''],
    ['throughput', 3, MMV_TYPE_DOUBLE, MMV_INDOM_NULL, $none, MMV_SEM_INSTANT, '', ''],
    ['state', 4, MMV_TYPE_STRING, MMV_INDOM_NULL, $none, MMV_SEM_DISCRETE, 'state', ''],
);
my @other = (['answer', 42, MMV_TYPE_U32, MMV_INDOM_NULL, $none, MMV_SEM_INSTANT, 'the answer', '']);

my $handle = $shape eq 'plain'
    ? mmv_stats_init($file, 505, MMV_FLAG_PROCESS, \@plain, \@indoms)
    : mmv_stats_init($file, 505, MMV_FLAG_PROCESS, \@other, []);
die "mmv_stats_init refuses\n" unless defined $handle;
$| = 1;
print "ready\n";
while (my $line = <STDIN>) {
    chomp $line;
    my ($metric, $instance, $value) = split / /, $line, 3;
    $instance = '' if $instance eq '-';
    if ($metric eq 'state') {
        mmv_set_string($handle, mmv_lookup_value_desc($handle, $metric, $instance), $value);
    } else {
        mmv_stats_set($handle, $metric, $instance, $value);
    }
    print "ok\n";
}
