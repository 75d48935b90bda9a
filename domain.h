/* The domain of MMV metrics, in stock PCP and here. */
#define MMV 70
